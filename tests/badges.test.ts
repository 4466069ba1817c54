import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { stateBadge } from "@/components/reports/state-badge";
import { type Badge, StatusBadge } from "@/components/ui/badge";
import { reconciledBadge, SERVICE_STATUSES, serviceStatusBadge } from "@/lib/forms/words";
import { lookups } from "@/lib/lookups/registry";

const markup = (badge: Badge) => renderToStaticMarkup(createElement(StatusBadge, { badge }));
const KEYS = ["description", "display_status", "status_code", "status_title"];
const OPEN = { submittedAt: null, due: "2026-02-28", gaps: 0, isEmpty: false };
const all: [string, Badge][] = [
  ...SERVICE_STATUSES.map((status): [string, Badge] => [status, serviceStatusBadge(status)]),
  ["Reconciled", reconciledBadge(true)],
  ["Unreconciled", reconciledBadge(false)],
  ...(
    [
      ["Submitted 01/15/2026", { submittedAt: "2026-01-15T20:00:00Z" }],
      ["Overdue", { due: "2026-02-13", gaps: 3 }],
      ["No records", { due: "2026-02-13", isEmpty: true }],
      ["Gaps", { gaps: 3 }],
      ["Open", { due: "2026-02-14" }],
      ["Open", { due: null }],
    ] as const
  ).map(([word, state]): [string, Badge] => [word, stateBadge({ ...OPEN, ...state }, "2026-02-14")]),
  ...Object.values(lookups.users.badges ?? {}).map((badge): [string, Badge] => [badge.display_status, badge]),
];

describe("the table badge", () => {
  test.each(all)("%s has the four keys, each with text", (word, badge) => {
    expect(Object.keys(badge).sort()).toEqual(KEYS);
    expect(badge.display_status).toBe(word);
    for (const text of Object.values(badge)) expect(text).not.toBe("");
  });

  test.each(all)("%s shows its word, a shape, and the rest as its title", (word, badge) => {
    const html = markup(badge);
    expect(html).toContain(`</svg>${word}</span>`);
    expect(html).toContain(`title="${badge.status_title}: ${badge.description}"`);
  });

  test("has a shape for each code", () => {
    const shapes = ["success", "warning", "danger", "neutral"].map(
      (status_code) => /<path d="([^"]+)"/.exec(markup({ ...reconciledBadge(true), status_code }))?.[1],
    );
    expect(new Set(shapes).size).toBe(4);
  });

  test.each(["of the future", "constructor", ""])("is neutral for the unknown code %j", (status_code) => {
    const badge = reconciledBadge(false);
    expect(markup({ ...badge, status_code })).toBe(markup({ ...badge, status_code: "neutral" }));
  });

  test("renders nothing without a word", () => {
    expect(markup({ ...reconciledBadge(true), display_status: "" })).toBe("");
  });

  test.each([
    [{ description: "" }, 'title="Reconciliation"'],
    [{ status_title: "" }, 'title="A supervisor has checked this form"'],
  ])("has no separator in its title with %j", (part, title) =>
    expect(markup({ ...reconciledBadge(true), ...part })).toContain(title),
  );
});
