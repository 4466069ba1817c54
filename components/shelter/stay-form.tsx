"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { DeclaredForm } from "@/components/record/record-form";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { Button } from "@/components/ui/controls";
import { LockIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { useNotify } from "@/components/ui/notifications";
import { call } from "@/lib/core/api/client";
import { closedMessage } from "@/lib/forms/words";
import type { Stay, StayChoices } from "@/lib/shelter/api-schema";
import { changesClosedDays } from "@/lib/shelter/nights";
import { stays } from "@/lib/shelter/record";
import { staySchema } from "@/lib/shelter/schema";
import { stayMessages } from "@/lib/shelter/words";

/** The form of a stored stay. */
export function StayForm({
  stay,
  choices: { shelters, exitDestinations },
  closedThrough,
  back,
}: {
  stay: Stay;
  choices: StayChoices;
  /** The last closed day, or null. */
  closedThrough: string | null;
  /** The URL of the page that led here. */
  back: string;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [isRemoving, setRemoving] = useState(false);
  const params = { id: stay.id };
  const hasClosedDays = changesClosedDays(closedThrough, stay, null);

  async function remove() {
    await call("DELETE /api/stays/{id}", { params });
    notify.success(stayMessages.removed);
    router.push(back);
    router.refresh();
  }

  return (
    <div className="stack max-w-3xl">
      {closedThrough !== null && hasClosedDays && (
        <Notice title="Closed month">
          <p>
            <LockIcon /> {closedMessage(closedThrough)}. Nights and people of these days stay as they are.
          </p>
        </Notice>
      )}
      <DeclaredForm
        declaration={stays}
        record={stay}
        choices={{ shelters, exit_destinations: exitDestinations }}
        closed={null}
        back={back}
        read={async () => (await call("GET /api/stays/{id}", { params })).stay}
        update={({ stay }) =>
          call("PUT /api/stays/{id}", { params, body: { stay: z.parse(staySchema, stay) } })
        }
        actions={
          !hasClosedDays && (
            <Button className="mr-auto text-danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      />
      <ConfirmDelete
        label={`stay ${stay.id}`}
        open={isRemoving}
        onClose={() => setRemoving(false)}
        onDelete={remove}
      />
    </div>
  );
}
