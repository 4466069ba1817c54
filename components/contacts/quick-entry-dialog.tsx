"use client";

import { useEffect, useState } from "react";
import { QuickEntry } from "@/components/contacts/quick-entry";
import { ErrorAlert } from "@/components/ui/alert";
import { type ContactChoices, contactChoices } from "@/lib/contacts/schema";
import { call, messagesOf } from "@/lib/core/api/client";

/** The quick entry with its choices, which it reads first: it opens over any page. */
export default function QuickEntryDialog() {
  const [choices, setChoices] = useState<ContactChoices | null>(null);
  const [messages, setMessages] = useState<string[]>([]);
  useEffect(() => {
    const asked = new AbortController();
    const { signal } = asked;
    Promise.all([
      call("GET /api/resource_lists/contact_kinds", { signal }),
      call("GET /api/resource_lists/age_brackets", { signal }),
      call("GET /api/resource_lists/referral_sources", { signal }),
    ]).then(
      ([kinds, brackets, sources]) => setChoices(contactChoices.parse({ ...kinds, ...brackets, ...sources })),
      (error) => signal.aborted || setMessages(messagesOf(error)),
    );
    return () => asked.abort();
  }, []);
  if (messages.length > 0) return <ErrorAlert messages={messages} />;
  return choices ? <QuickEntry choices={choices} begins /> : <p role="status">Loading…</p>;
}
