"use client";

import { useWatch } from "react-hook-form";
import { landingOf, menuOf } from "@/components/shell/menu";
import { can, type NamedItem } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";
import { permissionWords } from "@/lib/lookups/permission-words";

/** Lists what a user with the checked permissions can open, and warns of permissions without effect. */
export function RolePreview({ permissions }: { permissions: readonly NamedItem[] }) {
  const chosen: readonly number[] = useWatch({ name: "permissionIds" }) ?? [];
  const holder = { permissions: permissions.filter(({ id }) => chosen.includes(id)) };
  const { main, settings } = menuOf(holder);
  const forms = can(holder, "forms");
  const records = main.filter(({ href }) => href !== "/home");
  const menu = records.map(({ href, label }) =>
    href === to("formsList")
      ? can(holder, "all-forms")
        ? "Everyone's forms"
        : "Only their own forms"
      : label,
  );
  const lines = [
    ...menu,
    ...(settings.length > 0 ? [`Settings: ${settings.map(({ label }) => label).join(", ")}`] : []),
  ];
  const listed = new Set([...main, ...settings].map(({ label }) => label));
  const more = holder.permissions.filter(({ name }) => !listed.has(name) && name !== "All Forms");
  return (
    <div role="status" className="rounded-lg border border-transparent bg-subtle px-4 py-3">
      <p className="font-medium">People with this role will see</p>
      <p>They start at {landingOf(holder).label}.</p>
      <ul className="list-disc pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {more.map(({ id, name }) => (
          <li key={id}>
            {name}: {permissionWords(name)}
          </li>
        ))}
        {lines.length + more.length === 0 && <li>Only their own profile</li>}
      </ul>
      {can(holder, "all-forms") && !forms && (
        <p className="mt-1 text-warning">All Forms has no effect without Forms. Please also check Forms.</p>
      )}
    </div>
  );
}
