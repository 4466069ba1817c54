"use client";

import { useEffect, useRef } from "react";
import { Link } from "@/components/ui/link";
import { Markdown } from "@/components/ui/markdown";
import { to } from "@/lib/core/pages";

type GuideLink = { name: string; title: string };

/** A page of the guide, with links to the pages before and after it. */
export function GuideDocument({
  text,
  previous,
  next,
}: {
  text: string;
  previous: GuideLink | undefined;
  next: GuideLink | undefined;
}) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const node = article.current;
    if (!node || !location.hash) return;
    // The heading in the address appears after the page has loaded, and the pictures above it later still.
    const goTo = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();
    const observer = new MutationObserver(goTo);
    observer.observe(node, { childList: true, subtree: true });
    node.addEventListener("load", goTo, true);
    return () => {
      observer.disconnect();
      node.removeEventListener("load", goTo, true);
    };
  }, []);
  return (
    <>
      <article ref={article} className="guide card max-w-4xl p-4 sm:p-6">
        <Markdown text={text} document eager />
      </article>
      <nav aria-label="Guide" className="print-hidden mt-4 flex max-w-4xl flex-wrap justify-between gap-4">
        {previous && (
          <Link className="link touch-link" href={to("helpPage", { page: previous.name })}>
            Previous: {previous.title}
          </Link>
        )}
        {next && (
          <Link className="link touch-link ml-auto" href={to("helpPage", { page: next.name })}>
            Next: {next.title}
          </Link>
        )}
      </nav>
    </>
  );
}
