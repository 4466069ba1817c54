"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { isChanged, ProgramFieldDialog } from "@/components/settings/fields/program-field-dialog";
import { type FieldBlock, programSections } from "@/components/settings/fields/program-layout";
import { ErrorAlert } from "@/components/ui/alert";
import { Button, IconButton } from "@/components/ui/controls";
import { ChevronIcon, PencilIcon } from "@/components/ui/icons";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { counted, date } from "@/lib/core/fields/format";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";

type Items = ReadonlyMap<string, FieldSettingItem>;

/** The fields of the program by section, each with its settings. */
export function ProgramFields({ items }: { items: readonly FieldSettingItem[] }) {
  const byPath: Items = new Map(items.map((item) => [item.path, item]));
  const [openPath, setOpenPath] = useState<string | null>(null);
  const open = openPath === null ? undefined : byPath.get(openPath);
  return (
    <Section
      title="Fields of the program"
      description="Hide a field, change its label, add a hint, require it from a service day on, or move it in its section. Values stay when a field is hidden. Reset restores a field."
    >
      {programSections().map(({ id, title, section, blocks }) => (
        <FieldsOfSection
          key={id}
          title={title}
          section={byPath.get(section)}
          blocks={blocks}
          items={byPath}
          onOpen={setOpenPath}
        />
      ))}
      {open && <ProgramFieldDialog key={open.path} item={open} onClose={() => setOpenPath(null)} />}
    </Section>
  );
}

function FieldsOfSection({
  title,
  section,
  blocks,
  items,
  onOpen,
}: {
  title: string;
  section: FieldSettingItem | undefined;
  blocks: readonly FieldBlock[];
  items: Items;
  onOpen: (path: string) => void;
}) {
  const known = blocks.flatMap(({ fields }) => fields.flatMap((path) => items.get(path) ?? []));
  const changed = known.filter(isChanged).length + (section && isChanged(section) ? 1 : 0);
  return (
    <details className="border-line border-t">
      <summary className="min-h-control content-center">
        <h3 className="inline font-semibold">{title}</h3>{" "}
        <span className="text-muted text-sm">
          {[counted(known.length, "field"), changed > 0 && `${changed} changed`].filter(Boolean).join(", ")}
        </span>
      </summary>
      <div className="stack pb-3">
        {section && <WholeSection item={section} onOpen={onOpen} />}
        {blocks.map((block) => {
          const inner = block.section === section?.path ? undefined : items.get(block.section);
          return (
            <div key={block.fields[0]}>
              {inner && <WholeSection item={inner} onOpen={onOpen} />}
              <Rows paths={block.fields} items={items} onOpen={onOpen} />
            </div>
          );
        })}
      </div>
    </details>
  );
}

/** A section, or a part of one, that can be hidden with all its fields. */
function WholeSection({ item, onOpen }: { item: FieldSettingItem; onOpen: (path: string) => void }) {
  const { path, declaredLabel, hidden, cannotHide } = item;
  if (!hidden && cannotHide) return <p className="font-medium">{declaredLabel}</p>;
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <span className="font-medium">{declaredLabel}</span>
      {hidden && <span className="text-muted text-sm">Hidden</span>}
      <Button size="sm" onClick={() => onOpen(path)}>
        {hidden ? `Show the section ${declaredLabel}` : `Hide the section ${declaredLabel}`}
      </Button>
    </p>
  );
}

function Rows({
  paths,
  items,
  onOpen,
}: {
  paths: readonly string[];
  items: Items;
  onOpen: (path: string) => void;
}) {
  const router = useRouter();
  const { messages, busy, run } = useFailure();
  const place = (path: string, position: number) =>
    call("PUT /api/field_settings/{path}", { params: { path }, body: { fieldSetting: { position } } });
  const move = (from: number, to: number) =>
    run(async () => {
      const [path = "", neighbor = ""] = [paths[from], paths[to]];
      // A neighbor that was moved has a place of its own.
      if (typeof items.get(neighbor)?.position === "number") await place(neighbor, from);
      await place(path, to);
      router.refresh();
    });
  return (
    <>
      <ErrorAlert messages={messages} />
      <ul>
        {paths.map((path, at) => {
          const item = items.get(path);
          if (!item) return null;
          const label = item.label ?? item.declaredLabel;
          return (
            <li key={path} className="flex items-center gap-x-2 border-line border-t py-1">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className={item.hidden ? "text-muted line-through" : ""}>{label}</span>{" "}
                <span className="text-muted text-sm">{stateWords(item)}</span>
              </span>
              {item.canMove && paths.length > 1 && (
                <>
                  <IconButton
                    label={`Move ${label} up`}
                    icon={<ChevronIcon direction="up" />}
                    disabled={at === 0}
                    busy={busy}
                    onClick={() => void move(at, at - 1)}
                  />
                  <IconButton
                    label={`Move ${label} down`}
                    icon={<ChevronIcon direction="down" />}
                    disabled={at === paths.length - 1}
                    busy={busy}
                    onClick={() => void move(at, at + 1)}
                  />
                </>
              )}
              <IconButton label={`Change ${label}`} icon={<PencilIcon />} onClick={() => onOpen(path)} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Returns what the organization has changed about a field, in words. */
const stateWords = ({
  hidden,
  label,
  declaredLabel,
  hint,
  required,
  requiredFrom,
  position,
}: FieldSettingItem) =>
  [
    hidden && "Hidden",
    label !== null && `was ${declaredLabel}`,
    hint !== null && "hint changed",
    required && "always required",
    requiredFrom && `required from ${date(requiredFrom)}`,
    position !== null && "moved",
  ]
    .filter(Boolean)
    .join(" · ");
