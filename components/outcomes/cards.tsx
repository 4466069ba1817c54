"use client";

import { useState } from "react";
import { Button, LinkButton, Select, STACKED } from "@/components/ui/controls";
import { EmptyState } from "@/components/ui/empty-state";
import { ListIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { PrintButton } from "@/components/ui/print-button";
import { to } from "@/lib/core/pages";
import { CARD_WORDS, type CardLanguage, type CardQuestion, cardSize } from "@/lib/outcomes/cards";
import { SERVICE_KINDS, type ServiceKind } from "@/lib/outcomes/words";

const LANGUAGES: readonly { value: CardLanguage; label: string }[] = [
  { value: "en", label: "English" },
  { value: "es", label: "Spanish" },
];

/** Four equal cards on a page. They name no organization unless someone chooses so, and never a client. */
export function SurveyCards({
  questions,
  organization,
  canEdit,
}: {
  questions: CardQuestion[];
  organization: string;
  /** True if the user may add the Spanish words of a question. */
  canEdit: boolean;
}) {
  const [language, setLanguage] = useState<CardLanguage>("en");
  const [kind, setKind] = useState<ServiceKind>(SERVICE_KINDS[0].value);
  const [namesOrganization, setNamesOrganization] = useState(false);
  const asked = questions.filter((question) => question[language] !== "");
  const missing = questions.filter((question) => question[language] === "");
  const named = namesOrganization ? organization : null;
  const size = cardSize(
    asked.map((question) => question[language]),
    named,
  );
  const list = canEdit && (
    <div>
      <LinkButton href={to("outcomeQuestionsList")}>Outcome Questions</LinkButton>
    </div>
  );
  if (questions.length === 0)
    return (
      <EmptyState icon={<ListIcon />} action={list}>
        No question is asked. An administrator adds questions under Settings, Outcome Questions.
      </EmptyState>
    );
  return (
    <div className="stack">
      <div className="print-hidden flex flex-wrap items-end gap-x-4 gap-y-3">
        <fieldset className="flex gap-2">
          <legend className="mb-1 text-sm">Language</legend>
          {LANGUAGES.map(({ value, label }) => (
            <Button key={value} aria-pressed={language === value} onClick={() => setLanguage(value)}>
              {label}
            </Button>
          ))}
        </fieldset>
        <Select
          label="Kind of Service"
          className={STACKED}
          options={[...SERVICE_KINDS]}
          value={kind}
          onChange={(value) => setKind(SERVICE_KINDS.find((other) => other.value === value)?.value ?? kind)}
        />
        <label className="flex min-h-control items-center gap-2.5">
          <input
            type="checkbox"
            className="check"
            checked={namesOrganization}
            onChange={({ target }) => setNamesOrganization(target.checked)}
          />
          With the organization’s name
        </label>
        {size && asked.length > 0 && <PrintButton />}
      </div>
      <p className="print-hidden text-muted">
        {namesOrganization
          ? "Anyone who finds a card learns that its owner came to you. Hand out cards with the name only where they stay."
          : "The cards name nobody, and not your organization. Print on plain paper, and cut along the dashed lines."}
      </p>
      {missing.length > 0 && (
        <div className="print-hidden">
          <Notice title="Not on these cards, because their words in Spanish are missing">
            <ul className="list-disc pl-5">
              {missing.map(({ id, en }) => (
                <li key={id}>{en}</li>
              ))}
            </ul>
            {list}
          </Notice>
        </div>
      )}
      {size ? (
        asked.length > 0 && (
          <ol aria-label="Cards" className="survey-cards" data-size={size}>
            {[1, 2, 3, 4].map((number) => (
              <li key={number} lang={language}>
                <Card language={language} kind={kind} questions={asked} organization={named} />
              </li>
            ))}
          </ol>
        )
      ) : (
        <Notice title="These questions do not fit on a card">
          <p>Make some of them inactive, or ask them in fewer words.</p>
          {list}
        </Notice>
      )}
    </div>
  );
}

/** One card: each question with a box for Yes and one for No. Both empty means no answer. */
function Card({
  language,
  kind,
  questions,
  organization,
}: {
  language: CardLanguage;
  kind: ServiceKind;
  questions: readonly CardQuestion[];
  organization: string | null;
}) {
  const words = CARD_WORDS[language];
  return (
    <>
      {organization && <p>{organization}</p>}
      <h2>{words.title}</h2>
      <p>{words.help}</p>
      <ol>
        {questions.map((question) => (
          <li key={question.id}>
            <p>{question[language]}</p>
            <p data-boxes="">
              <span>{words.yes}</span>
              <span>{words.no}</span>
            </p>
          </li>
        ))}
      </ol>
      <footer>
        <p>{words.privacy}</p>
        <p>
          <strong>{words.thanks}</strong>
          <span>{words.kinds[kind]}</span>
        </p>
      </footer>
    </>
  );
}
