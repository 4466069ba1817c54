"use client";

import type { SectionItem } from "@/components/record/section";
import type { FieldSection } from "@/components/settings/fields/layout";
import { KIND_WORDS } from "@/components/settings/fields/places";
import { isChanged } from "@/components/settings/fields/program-field-dialog";
import { withMoved } from "@/components/settings/fields/with-moved";
import { Button, IconButton } from "@/components/ui/controls";
import { onFirstClick } from "@/components/ui/first-click";
import { ChevronIcon, PencilIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import type { CustomField } from "@/lib/core/fields/definitions";
import { flat, inOrder, type Unit, unitsOf } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
import { counted, date } from "@/lib/core/text/format";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";
import type { FormLists } from "@/lib/lookups/schema";

/** The actions of an administrator on the fields of a section. */
export type Acts = {
  add: (place: FieldSection["place"]) => void;
  change: (path: string) => void;
  /** Puts fields in order, announces it, and focuses an element. */
  order: (paths: string[], words: string, focusId: string) => void;
  hide: (item: FieldSettingItem, hidden: boolean) => void;
  retire: (field: CustomField) => void;
  remove: (field: CustomField) => void;
};

type Known = {
  /** The order of all fields. */
  order: readonly string[];
  settings: ReadonlyMap<string, FieldSettingItem>;
  custom: ReadonlyMap<string, CustomField>;
  lists: FormLists;
  busy: boolean;
  acts: Acts;
  labelAt: (path: string) => string;
  canMove: (path: string) => boolean;
};

export const summaryId = (section: string) => `fields-of-${section}`;
const arrowId = (path: string, step: -1 | 1) => `move-${step === 1 ? "down" : "up"}-${path}`;

const pathsOf = (items: readonly { path: string }[]) => items.map(({ path }) => path);

/** Returns the blocks of fields that can trade places, including those inside parts. */
const blocksIn = ({ blocks }: FieldSection): (readonly SectionItem[])[] =>
  blocks.flatMap(({ items }) => [items, ...items.flatMap(({ inside }) => (inside ? [inside] : []))]);

/** Returns the items at their declared places. */
const asDeclared = (items: readonly SectionItem[]) => flat(unitsOf(items, []));

/** The fields of a section in order. */
export function SectionFieldList({
  section,
  isOpen,
  onToggle,
  ...known
}: Known & { section: FieldSection; isOpen: boolean; onToggle: (isOpen: boolean) => void }) {
  const { order, settings, custom, acts } = known;
  const { id, title, place, blocks } = section;
  const fields = pathsOf(
    blocksIn(section)
      .flat()
      .filter(({ inside }) => !inside),
  );
  const customLabels = fields.flatMap((path) => custom.get(path)?.label ?? []);
  const whole = settings.get(section.section);
  const changed = fields.filter((path) => {
    const item = settings.get(path);
    return item && isChanged(item);
  });
  const reordered = blocksIn(section).filter(
    (items) => pathsOf(inOrder(items, order)).join() !== pathsOf(asDeclared(items)).join(),
  );
  const words = [
    counted(fields.length, "field"),
    customLabels.length > 0 && `custom: ${customLabels.join(", ")}`,
    whole?.hidden && "hidden",
    changed.length > 0 && `${changed.length} changed`,
    reordered.length > 0 && "order changed",
  ];
  return (
    <details
      className="border-line border-t"
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary id={summaryId(id)} className="min-h-control content-center wrap-anywhere">
        <h3 className="inline font-semibold">{title}</h3>{" "}
        <span className="text-muted text-sm">{words.filter(Boolean).join(" · ")}</span>
      </summary>
      <div className="stack pb-3">
        {blocks.map(({ section: path, items }) => {
          const part = path === section.section ? undefined : settings.get(path);
          return (
            <div key={path || items[0]?.path}>
              {part && (
                <p className="flex flex-wrap items-center gap-x-2">
                  <PartTitle item={part} {...known} />
                </p>
              )}
              <Rows units={unitsOf(items, order)} block={items} {...known} />
            </div>
          );
        })}
        <p className="flex flex-wrap gap-2">
          <Button
            size="sm"
            icon={<PlusIcon />}
            aria-label={`Add a field to ${title}`}
            onClick={() => acts.add(place)}
          >
            Add a field
          </Button>
          {reordered.length > 0 && (
            <Button
              size="sm"
              aria-label={`Restore default order of ${title}`}
              onClick={() =>
                acts.order(
                  pathsOf(reordered.flatMap(asDeclared)),
                  `Restored default order of ${title}`,
                  summaryId(id),
                )
              }
            >
              Restore default order
            </Button>
          )}
          {whole && <HideButton item={whole} {...known} />}
        </p>
      </div>
    </details>
  );
}

/** Hides or shows a section, or a part of one, with all its fields. */
function HideButton({ item, busy, acts }: Known & { item: FieldSettingItem }) {
  const { declaredLabel, hidden, cannotHide } = item;
  if (cannotHide && !hidden) return null;
  const words = hidden ? `Show the ${declaredLabel} section` : `Hide the ${declaredLabel} section`;
  return (
    <Button size="sm" busy={busy} onClick={() => acts.hide(item, !hidden)}>
      {words}
    </Button>
  );
}

function PartTitle({ item, ...known }: Known & { item: FieldSettingItem }) {
  return (
    <>
      <span className="min-w-48 flex-1">
        <span className={`font-medium ${item.hidden ? "text-muted line-through" : ""}`}>
          {item.declaredLabel}
        </span>{" "}
        {item.hidden && <span className="text-muted text-sm">Hidden</span>}
      </span>
      <HideButton item={item} {...known} />
    </>
  );
}

/** Fields that can trade places, each with those that stay under it. `block` is the whole block they are in. */
function Rows({
  units,
  block,
  above,
  ...known
}: Known & { units: readonly Unit<SectionItem>[]; block: readonly SectionItem[]; above?: string }) {
  const { order, settings, custom, acts, labelAt, canMove } = known;
  const movable = units.filter(({ item }) => canMove(item.path));
  function move(path: string, step: -1 | 1) {
    const to = movable.findIndex(({ item }) => item.path === path) + step;
    const isAtEdge = to === (step === 1 ? movable.length - 1 : 0);
    const words = `Moved ${labelAt(path)} to ${to + 1} of ${movable.length}`;
    acts.order(
      pathsOf(flat(withMoved(unitsOf(block, order), path, step))),
      words,
      arrowId(path, isAtEdge ? (step === 1 ? -1 : 1) : step),
    );
  }
  return (
    <ul className={above ? "pl-5" : undefined}>
      {units.map(({ item: { path, inside }, beneath }) => {
        const item = settings.get(path);
        const field = custom.get(path);
        if (!item && !field) return null;
        const at = movable.findIndex((unit) => unit.item.path === path);
        const arrow = (step: -1 | 1) => (
          <IconButton
            id={arrowId(path, step)}
            label={`Move ${labelAt(path)} ${step === 1 ? "down" : "up"}`}
            icon={<ChevronIcon direction={step === 1 ? "down" : "up"} />}
            disabled={step === 1 ? at === movable.length - 1 : at === 0}
            onClick={onFirstClick(() => move(path, step))}
          />
        );
        return (
          <li key={path} className="border-line border-t">
            <div className="flex flex-wrap items-center gap-x-2 py-1">
              {item && inside ? (
                <PartTitle item={item} {...known} />
              ) : (
                <FieldWords item={item} field={field} above={above} {...known} />
              )}
              <span className="ml-auto flex items-center gap-x-1">
                {at !== -1 && movable.length > 1 && (
                  <>
                    {arrow(-1)}
                    {arrow(1)}
                  </>
                )}
                {!inside && (
                  <IconButton
                    label={`Change ${labelAt(path)}`}
                    icon={<PencilIcon />}
                    onClick={() => acts.change(path)}
                  />
                )}
                {field && <CustomFieldButtons field={field} {...known} />}
              </span>
            </div>
            {inside && (
              <div className="pl-5">
                <Rows {...known} units={unitsOf(inside, order)} block={inside} />
              </div>
            )}
            {beneath.length > 0 && <Rows {...known} units={beneath} block={block} above={labelAt(path)} />}
          </li>
        );
      })}
    </ul>
  );
}

function CustomFieldButtons({ field, busy, acts }: Known & { field: CustomField }) {
  const { label } = field;
  const retired = isRetired(field);
  return (
    <>
      <Button
        size="sm"
        busy={busy}
        aria-label={retired ? `Use ${label} again` : `Retire ${label}`}
        onClick={() => acts.retire(field)}
      >
        {retired ? "Use again" : "Retire"}
      </Button>
      <IconButton label={`Remove ${label}`} icon={<TrashIcon />} onClick={() => acts.remove(field)} />
    </>
  );
}

/** The label of a field and a summary of its settings. */
function FieldWords({
  item,
  field,
  above,
  lists,
}: Known & { item?: FieldSettingItem; field?: CustomField; above?: string }) {
  const isOff = field ? isRetired(field) : item?.hidden;
  const words = field ? ownWords(field, lists) : item ? settingWords(item) : [];
  return (
    <span className="min-w-32 flex-1 wrap-anywhere">
      <span className={isOff ? "text-muted line-through" : ""}>
        {field?.label ?? item?.label ?? item?.declaredLabel}
      </span>{" "}
      <span className="text-muted text-sm">
        {[...words, above && `stays under ${above}`].filter(Boolean).join(" · ")}
      </span>
    </span>
  );
}

/** Returns the changes that the organization made to a built-in field, in words. */
const settingWords = ({ hidden, label, declaredLabel, hint, required, requiredFrom }: FieldSettingItem) => [
  hidden && "Hidden",
  label !== null && `originally ${declaredLabel}`,
  hint !== null && "hint changed",
  required && "always required",
  requiredFrom && `required from ${date(requiredFrom)}`,
];

const ownWords = ({ retiredFrom, ...field }: CustomField, { formTypes }: FormLists) => {
  const { kind, choices, requiredFrom, sensitive, formTypeIds } = field;
  const types = formTypes.filter(({ id }) => formTypeIds.includes(id)).map(({ name }) => name);
  return [
    "Custom field",
    KIND_WORDS[kind],
    choices.length > 0 && counted(choices.length, "choice"),
    requiredFrom && `required from ${date(requiredFrom)}`,
    sensitive && "sensitive",
    types.length > 0 && `only on ${types.join(", ")}`,
    retiredFrom && `retired as of ${date(retiredFrom)}`,
  ];
};
