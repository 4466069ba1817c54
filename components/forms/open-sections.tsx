"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { OPEN_SECTION, openSection } from "@/components/ui/open-section";

type Open = {
  /** The id of the section that is open on a phone. */
  id: string | null;
  /** Opens another section at the top of the screen, or none. */
  open: (id: string | null) => void;
};

/** Null if all sections stay open. */
const OpenContext = createContext<Open | null>(null);

export const useOpenSection = () => useContext(OpenContext);

/**
 * The sections of a form, of which one is open at a time on a phone. A field that is used in a closed section opens it,
 * and so does a link to the field.
 */
export function OpenSections({
  frozen,
  className,
  children,
}: {
  /** A form that cannot be changed is only read: nothing in it is closed. */
  frozen: boolean;
  className: string;
  children: ReactNode;
}) {
  const [id, setId] = useState<string | null>("details");
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onOpen = ({ target }: Event) => {
      const section = target instanceof Element && target.closest("[data-section]");
      if (section) flushSync(() => setId(section.id));
    };
    const sections = element.current;
    sections?.addEventListener(OPEN_SECTION, onOpen);
    const timer = setTimeout(() => {
      const linked = document.getElementById(window.location.hash.slice(1));
      if (!linked || linked.checkVisibility()) return;
      openSection(linked);
      linked.scrollIntoView();
    });
    return () => {
      clearTimeout(timer);
      sections?.removeEventListener(OPEN_SECTION, onOpen);
    };
  }, []);
  const value = useMemo(
    () => ({
      id,
      open(id: string | null) {
        flushSync(() => setId(id));
        // Closing the section above has moved the page.
        if (id) document.getElementById(id)?.scrollIntoView();
      },
    }),
    [id],
  );
  return (
    <OpenContext value={frozen ? null : value}>
      <div ref={element} className={className}>
        {children}
      </div>
    </OpenContext>
  );
}
