"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { type EntryProps, RecordEntryForm } from "@/components/record/record-entry";
import { Button, Select, STACKED } from "@/components/ui/controls";
import { DateField } from "@/components/ui/date-field";
import { useNotify } from "@/components/ui/notifications";
import { applyServerErrors } from "@/components/ui/server-errors";
import { useAttempt } from "@/components/ui/use-failure";
import { counted, latestDay, parseDate, today } from "@/lib/core/text/format";
import {
  type AnswerLetter,
  answered,
  CARDS_MAX,
  countedAnswers,
  NO_CARDS,
  nextQuestion,
  type TallyState,
  takenBack,
} from "@/lib/outcomes/tally";
import { keepDraft, movedTo, onDraftElsewhere, openDraft, surveyCreation } from "@/lib/outcomes/tally-draft";
import { SERVICE_KINDS } from "@/lib/outcomes/words";

/** Records a stack of cards, one key for each answer, or the numbers that someone has counted. */
export function OutcomeEntry(props: EntryProps) {
  const listed = props.choices.outcome_questions ?? [];
  const questions = listed.filter(({ active = true }) => active);
  const [tallies, setTallies] = useState(true);
  /** True if the reader changed the way of counting, which removed the pressed button. */
  const [isChanged, setChanged] = useState(false);
  const change = (next: boolean) => {
    setTallies(next);
    setChanged(true);
  };
  if (questions.length === 0 || !tallies)
    return (
      <div className="stack">
        <RecordEntryForm {...props} begins={isChanged} />
        {questions.length > 0 && (
          <div>
            <Button size="sm" onClick={() => change(true)}>
              Tally a stack of cards
            </Button>
          </div>
        )}
      </div>
    );
  const { userId } = props.user;
  return (
    // The cards of one tally all answer the same questions.
    <Tally
      key={questions.map(({ id }) => id).join()}
      questions={questions}
      listed={listed}
      userId={userId}
      begins={isChanged}
      onType={() => change(false)}
    />
  );
}

const LETTERS: readonly { letter: AnswerLetter; label: string }[] = [
  { letter: "y", label: "Yes" },
  { letter: "n", label: "No" },
  { letter: "-", label: "No answer" },
];

/** Counts cards by keys or by large buttons. They stay on this device until they are saved. */
function Tally({
  questions,
  listed,
  userId,
  begins,
  onType,
}: {
  questions: readonly { id: number; name: string }[];
  /** All questions, with those that are no longer asked. */
  listed: readonly { id: number; name: string; active?: boolean }[];
  userId: number;
  /** True if the cards get the focus. */
  begins: boolean;
  onType: () => void;
}) {
  const [serviceKind, setServiceKind] = useState<string>(SERVICE_KINDS[0].value);
  const [state, setState] = useState<TallyState>(NO_CARDS);
  const [questionIds] = useState(() => questions.map(({ id }) => id));
  const [listedFirst] = useState(listed);
  const [create, setCreate] = useState(() => surveyCreation(userId));
  const form = useForm<{ countedOn: string | null }>({ defaultValues: { countedOn: today() } });
  const countedOn = form.watch("countedOn");
  const isRead = useRef(false);
  const pad = useRef<HTMLFieldSetElement>(null);
  const router = useRouter();
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);

  useEffect(() => {
    const { draft, changes } = openDraft(userId, listedFirst);
    if (changes.length > 0) notify.error(changes);
    if (draft) {
      setState({ cards: draft.cards, current: draft.current });
      setServiceKind(draft.serviceKind);
      form.reset({ countedOn: draft.countedOn });
      setCreate(() => surveyCreation(userId, draft.open));
      if (draft.current !== "") pad.current?.focus();
    }
    if (begins) pad.current?.focus();
  }, [userId, listedFirst, begins, form, notify]);
  useEffect(() => {
    // The first run is before the draft is shown.
    if (!isRead.current) {
      isRead.current = true;
      return;
    }
    const { cards, current } = state;
    keepDraft(userId, { questionIds, cards: [...cards], current, serviceKind, countedOn });
  }, [state, serviceKind, countedOn, userId, questionIds]);

  useEffect(
    () =>
      onDraftElsewhere(userId, (stored) => {
        // Keeping it again would bring back cards that the other tab has saved by now.
        isRead.current = false;
        const draft = movedTo(stored, questionIds);
        setState({ cards: draft.cards, current: draft.current });
        setCreate(() => surveyCreation(userId, draft.open));
        if (draft.cards.length === 0 && draft.current === "") return;
        // The other tab has read another list of questions.
        if (draft.questionIds.join() !== stored.questionIds.join()) router.refresh();
        setServiceKind(draft.serviceKind);
        form.reset({ countedOn: draft.countedOn });
      }),
    [userId, questionIds, form, router],
  );

  const answer = (letter: AnswerLetter) => setState((now) => answered(now, letter, questions.length));
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = LETTERS.find(({ letter }) => letter === event.key.toLowerCase());
    if (pressed) answer(pressed.letter);
    else if (event.key === "Backspace") setState(takenBack);
    else return;
    event.preventDefault();
  }

  async function save() {
    const answers = countedAnswers(state.cards, questions.length);
    const survey = {
      // The server says what is wrong with a day that cannot be read.
      countedOn: parseDate(countedOn ?? "") ?? countedOn,
      serviceKind,
      completed: state.cards.length,
      answersAttributes: questions.map(({ id }, at) => ({ outcomeQuestionId: id, ...answers[at] })),
    };
    form.clearErrors();
    try {
      await create(survey);
    } catch (error) {
      applyServerErrors(form, error, "outcomeSurvey");
      throw error;
    }
    notify.success(`Recorded ${counted(state.cards.length, "card")}`);
    // Answers that followed the last saved card stay.
    setState((now) => ({ ...now, cards: now.cards.slice(state.cards.length) }));
    setCreate(() => surveyCreation(userId));
    pad.current?.focus();
    router.refresh();
  }

  const { cards, current } = state;
  const next = nextQuestion(current);
  const sums = countedAnswers(cards, questions.length);
  return (
    <FormProvider {...form}>
      <div className="stack">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <Select
            label="Kind of Service"
            className={STACKED}
            options={[...SERVICE_KINDS]}
            value={serviceKind}
            onChange={setServiceKind}
          />
          <DateField name="countedOn" label="Date" max={latestDay()} marksClosed className="w-40" />
        </div>
        <fieldset
          ref={pad}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys count here
          tabIndex={0}
          className="stack rounded-lg border border-line p-4"
          onKeyDown={onKeyDown}
        >
          <legend className="sr-only">Cards</legend>
          <p role="status" className="font-semibold text-lg">
            {cards.length >= CARDS_MAX
              ? `${counted(cards.length, "card")}: save these`
              : `Card ${cards.length + 1}`}
          </p>
          <ol className="stack">
            {questions.map(({ id, name }, at) => (
              <li key={id} aria-current={at === next ? "step" : undefined} className="flex gap-3">
                <span aria-hidden="true" className="w-4 text-center font-semibold">
                  {at === next ? "›" : current[at]}
                </span>
                <span className={at === next ? "font-semibold" : "text-muted"}>{name}</span>
              </li>
            ))}
          </ol>
          <div className="grid grid-cols-3 gap-2">
            {LETTERS.map(({ letter, label }) => (
              <Button
                key={letter}
                className="min-h-14"
                onClick={() => answer(letter)}
                aria-keyshortcuts={letter}
              >
                {label}
              </Button>
            ))}
          </div>
          <p className="text-muted text-sm max-md:hidden">
            Keys: Y, N, and - for no answer. Backspace takes the last card back.
          </p>
        </fieldset>
        <table className="data-table" aria-label="Counted so far">
          <thead>
            <tr>
              <th scope="col">{counted(cards.length, "card")}</th>
              <th scope="col">Yes</th>
              <th scope="col">No</th>
            </tr>
          </thead>
          <tbody>
            {questions.map(({ id, name }, at) => (
              <tr key={id}>
                <td>{name}</td>
                <td data-label="Yes">{sums[at]?.yes}</td>
                <td data-label="No">{sums[at]?.no}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="flex flex-wrap items-center justify-end gap-3">
          <Button className="mr-auto" onClick={onType}>
            Type the numbers
          </Button>
          <Button disabled={cards.length === 0 && current === ""} onClick={() => setState(takenBack)}>
            Take back the last card
          </Button>
          <Button variant="primary" busy={busy} disabled={cards.length === 0} onClick={() => void run(save)}>
            Save
          </Button>
        </div>
        <p className="text-muted text-sm">
          No names are stored. Cards stay on this device until you save them.
        </p>
      </div>
    </FormProvider>
  );
}
