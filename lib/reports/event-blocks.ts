import "server-only";
import { sql } from "@/lib/core/sql";
import { openSeriesSql } from "@/lib/events/events";
import { type Block, gap } from "@/lib/reports/block-parts";

// The SQL of events and outcome surveys, whose rules docs/reference/reports.md explains. They are about no client.

const ofEvent = { client: sql`NULL::int`, event: sql`event_id` };
const ofSurvey = { client: sql`NULL::int`, survey: sql`survey_id` };

/** Events by audience, their people, and the materials; of PCCD, those that explained victimization. */
export const events: Block = {
  of: ({ events, has }) => ({
    parts: [events],
    rows: has("presentations")
      ? [
          { line: "presentations", ...ofEvent, from: sql`held WHERE identifies_victimization` },
          {
            line: "presentations_people",
            ...ofEvent,
            times: sql`people`,
            from: sql`held WHERE identifies_victimization AND people > 0`,
          },
        ]
      : [
          {
            line: sql`CASE audience WHEN 'general' THEN 'education_presentations'
              WHEN 'youth' THEN 'education_youth_presentations' ELSE 'education_trainings' END`,
            ...ofEvent,
            from: sql`held`,
          },
          {
            line: sql`CASE audience WHEN 'general' THEN 'education_people'
              WHEN 'youth' THEN 'education_youth_people' ELSE 'education_professionals' END`,
            ...ofEvent,
            times: sql`people`,
            from: sql`held WHERE people > 0`,
          },
          {
            line: "education_materials",
            ...ofEvent,
            times: sql`materials`,
            from: sql`held WHERE materials > 0`,
          },
          {
            line: gap("openSeries"),
            ...ofEvent,
            from: sql`held WHERE series_id IN (${openSeriesSql()})`,
          },
        ],
  }),
};

/** The line on which the answers to a measure are counted, yes and no together. It is not shown. */
export const answeredLine = (line: string): string => `answered_${line}`;

/** Completed cards and yes answers by kind of service. */
export const surveys: Block = {
  of: ({ surveys }) => {
    const answers = sql`surveys JOIN outcome_answers a ON a.outcome_survey_id = survey_id
      JOIN outcome_questions q ON q.id = a.outcome_question_id WHERE q.measure <> ''`;
    const byMeasure = sql`GROUP BY survey_id, service_kind, q.measure`;
    return {
      parts: [surveys],
      rows: [
        {
          line: sql`'outcome_' || service_kind || '_completed'`,
          ...ofSurvey,
          times: sql`completed`,
          from: sql`surveys`,
        },
        {
          line: sql`'outcome_' || service_kind || '_' || q.measure || '_yes'`,
          ...ofSurvey,
          times: sql`sum(a.yes)::int`,
          from: sql`${answers} ${byMeasure} HAVING sum(a.yes) > 0`,
        },
        {
          line: sql`'answered_outcome_' || service_kind || '_' || q.measure || '_yes'`,
          ...ofSurvey,
          times: sql`sum(a.yes + a.no)::int`,
          from: sql`${answers} ${byMeasure}`,
        },
      ],
    };
  },
};
