"use client";

import { useEffect, useRef, useState } from "react";

/**
 * Sanitized Markdown with line breaks kept. The text is plain until it is near the viewport. The rendering scripts are
 * a tenth of a form's, and most texts are far down the page. `eager` renders it at once, so that a print is complete.
 * A `document` is a page of the product's own: its lines are joined, its headings have ids, and it may have pictures.
 */
export function Markdown({
  text,
  className = "",
  eager = false,
  document: isDocument = false,
}: {
  text: string;
  className?: string;
  eager?: boolean;
  document?: boolean;
}) {
  const [html, setHtml] = useState<{ of: string; text: string } | null>(null);
  const [near, setNear] = useState(eager);
  const plain = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (eager || !plain.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: "200px" },
    );
    observer.observe(plain.current);
    return () => observer.disconnect();
  }, [eager]);

  useEffect(() => {
    if (!near) return;
    let current = true;
    void import("@/components/ui/markdown-html").then(({ htmlOf }) => {
      if (current) setHtml({ of: text, text: htmlOf(text, isDocument) });
    });
    return () => {
      current = false;
    };
  }, [near, text, isDocument]);

  if (html?.of !== text)
    return (
      <div ref={plain} className={`whitespace-pre-line ${className}`}>
        {isDocument ? "Loading…" : text.replaceAll("**", "")}
      </div>
    );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized above
  return <div className={`markdown ${className}`} dangerouslySetInnerHTML={{ __html: html.text }} />;
}
