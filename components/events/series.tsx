"use client";

import { useEffect, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { FieldControl } from "@/components/record/field-control";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, Select } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { call, messagesOf } from "@/lib/core/api/client";
import { factsOf } from "@/lib/core/fields/facts";
import { to } from "@/lib/core/pages";
import { date, peopleWords } from "@/lib/core/text/format";
import type { RecordItem } from "@/lib/declared-records/api-schema";
import { eventSchema } from "@/lib/events/record";

/** The most sessions that are listed. */
const SESSIONS_MAX = 100;

/** Returns the sessions of a series from the first day on; null until they are read. */
function useSessions(seriesId: number) {
  const [sessions, setSessions] = useState<RecordItem[] | null>(null);
  const [messages, setMessages] = useState<string[]>([]);
  useEffect(() => {
    const asked = new AbortController();
    const query = {
      sort: "heldOn",
      order: "asc",
      perPage: SESSIONS_MAX,
      "filters[seriesId]": seriesId,
    } as const;
    call("GET /api/events", { query, signal: asked.signal }).then(
      ({ events }) => setSessions(Array.isArray(events) ? events : []),
      (error) => asked.signal.aborted || setMessages(messagesOf(error)),
    );
    return () => asked.abort();
  }, [seriesId]);
  return { sessions, messages };
}

/** The sessions of a series with how many attended each. */
function Sessions({ seriesId, current }: { seriesId: number; current?: number }) {
  const { sessions, messages } = useSessions(seriesId);
  if (messages.length > 0) return <ErrorAlert messages={messages} />;
  if (!sessions) return <p role="status">Loading…</p>;
  return <SessionList sessions={sessions} current={current} />;
}

function SessionList({
  sessions,
  current,
}: {
  sessions: readonly RecordItem[];
  current?: number | undefined;
}) {
  return (
    <ul aria-label="Sessions of this series" className="link-list divide-y divide-line">
      {sessions.map(({ id, heldOn, attended, seriesPeople }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
          {id === current ? (
            <span>{date(String(heldOn))}, this event</span>
          ) : (
            <Link href={to("recordsEdit", { records: "events", id })} className="link">
              {date(String(heldOn))}
            </Link>
          )}
          <span className="text-muted">
            {typeof seriesPeople === "number"
              ? `${peopleWords(Number(attended))}, ${peopleWords(seriesPeople)} in all`
              : peopleWords(Number(attended))}
          </span>
        </li>
      ))}
    </ul>
  );
}

const PLACES = [
  { value: "alone", label: "An event of its own" },
  { value: "next", label: "Next session of the series" },
  { value: "last", label: "Last session of the series" },
];
const PEOPLE = "How many different people in all sessions?";

/** Asks if an event that is held again is a session of a series. Of the last one, it asks for the people of all sessions. */
export function CopiedEvent({ of }: { of: RecordItem }) {
  const form = useFormContext();
  const seriesId = typeof of.seriesId === "number" ? of.seriesId : of.id;
  const [place, setPlace] = useState(of.seriesId === null ? "alone" : "next");
  useEffect(() => {
    form.setValue("seriesId", place === "alone" ? null : seriesId);
    if (place !== "last") form.setValue("seriesPeople", null);
  }, [form, place, seriesId]);
  const facts = factsOf(eventSchema.shape.seriesPeople);
  return (
    <div className="stack">
      <Select label="This is" options={PLACES} value={place} onChange={setPlace} />
      {place === "last" && facts && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <FieldControl
            name="seriesPeople"
            facts={{ ...facts, label: PEOPLE, hint: "Each person counts once, with those of this session." }}
            choices={{}}
          />
          {/* An event by itself is not a session until another one names it. */}
          {of.seriesId === null ? <SessionList sessions={[of]} /> : <Sessions seriesId={seriesId} />}
        </div>
      )}
    </div>
  );
}

/** The series of an event on its form, and a button that takes the event out of it. */
export function EventSeries({ record }: { record: RecordItem }) {
  const form = useFormContext();
  const seriesId: unknown = useWatch({ name: "seriesId" });
  if (typeof seriesId !== "number") return null;
  function leave() {
    form.setValue("seriesId", null, { shouldDirty: true });
    form.setValue("seriesPeople", null, { shouldDirty: true });
  }
  return (
    <Section
      title="Series"
      actions={
        <Button size="sm" onClick={leave}>
          Take out of the series
        </Button>
      }
    >
      <Sessions seriesId={seriesId} current={record.id} />
    </Section>
  );
}
