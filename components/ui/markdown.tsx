"use client";

import { useEffect, useRef, useState } from "react";

// No images or media: loading them would reveal the reader to another host.
const ALLOWED_TAGS = [
  ..."p br hr strong em b i del code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6".split(" "),
  ..."table thead tbody tr th td".split(" "),
];

/**
 * Sanitized Markdown with line breaks kept. The text is plain until it is near the viewport. The rendering scripts are
 * a tenth of a form's, and most texts are far down the page. `eager` renders it at once, so that a print is complete.
 */
export function Markdown({
  text,
  className = "",
  eager = false,
}: {
  text: string;
  className?: string;
  eager?: boolean;
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
    void Promise.all([import("marked"), import("dompurify")]).then(([{ marked }, { default: purify }]) => {
      if (!current) return;
      const raw = marked.parse(text, { async: false, breaks: true, gfm: true });
      setHtml({ of: text, text: purify.sanitize(raw, { ALLOWED_TAGS, ALLOWED_ATTR: ["href", "title"] }) });
    });
    return () => {
      current = false;
    };
  }, [near, text]);

  if (html?.of !== text)
    return (
      <div ref={plain} className={`whitespace-pre-line ${className}`}>
        {text.replaceAll("**", "")}
      </div>
    );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized above
  return <div className={`markdown ${className}`} dangerouslySetInnerHTML={{ __html: html.text }} />;
}
