import type { Brand } from "@/lib/core/branding/brand";
import { PRODUCT_NAME } from "@/lib/core/product";

function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" width="1.5em" height="1.5em" className="flex-none">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 10c3 0 5 .7 7 2.5 2-1.8 4-2.5 7-2.5v12c-3 0-5 .7-7 2.5-2-1.8-4-2.5-7-2.5z"
        className="fill-on-accent"
      />
      <path d="M16 12.5v12" className="stroke-accent" strokeWidth="1.5" />
    </svg>
  );
}

/** The organization's logo. A white background keeps a dark logo readable in the dark theme. */
export function OrganizationLogo({ src, className }: { src: string; className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: the server has made it small already
    <img src={src} alt="" className={`w-auto max-w-48 rounded bg-white object-contain ${className}`} />
  );
}

/**
 * The product's logo and name, next to the organization's. With `compact`, shows only the logos; assistive technology
 * still gets the names.
 */
export function Wordmark({ compact = false, brand }: { compact?: boolean; brand?: Brand }) {
  return (
    <span className="flex min-w-0 items-center gap-2 font-semibold text-lg">
      {brand?.logo ? <OrganizationLogo src={brand.logo} className="h-8" /> : <Mark />}
      <span
        className={
          compact
            ? "flex min-w-0 flex-col text-base leading-tight max-sm:sr-only"
            : "flex min-w-0 flex-wrap items-baseline gap-x-2"
        }
      >
        <span>{PRODUCT_NAME}</span>
        {brand && (
          <span
            className={`min-w-0 font-normal text-muted ${compact ? "truncate text-xs max-lg:sr-only" : "wrap-anywhere text-base"}`}
          >
            {(compact && brand.shortName) || brand.organization}
          </span>
        )}
      </span>
    </span>
  );
}
