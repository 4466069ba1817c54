"use client";

import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { Labeled } from "@/components/ui/plain-inputs";
import type { NamedItem } from "@/lib/core/access/permissions";
import { SEEDED_ROLES } from "@/lib/lookups/seeded-roles";

/** Lets a new role start with the permissions of a usual one. Each choice replaces what is checked. */
export function RoleStart({ permissions }: { permissions: readonly NamedItem[] }) {
  const { setValue } = useFormContext();
  const [chosen, setChosen] = useState("");

  function choose(role: string) {
    setChosen(role);
    const names: readonly string[] = SEEDED_ROLES[role] ?? [];
    const ids = permissions.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    setValue("permissionIds", ids, { shouldDirty: true });
  }

  return (
    <Labeled label="Start from">
      <select className="control sm:max-w-80" value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="">No permissions</option>
        {Object.keys(SEEDED_ROLES).map((role) => (
          <option key={role}>{role}</option>
        ))}
      </select>
    </Labeled>
  );
}
