import { whole } from "@/lib/core/fields/format";

const HEIGHT = 80;
const STEP = 24;

const rounded = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 2 });

/**
 * A small bar chart with at least one point, rendered on the server. Screen readers get the same numbers as a table.
 * The picture rounds numbers over 999 to fit above their bar; a tooltip shows the exact number.
 */
export function BarChart({
  title,
  note,
  points,
}: {
  title: string;
  /** A note about the numbers; may be "". */
  note: string;
  points: readonly { label: string; value: number }[];
}) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const width = points.length * STEP;
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="mb-3">
        <span className="block font-semibold text-lg">{title}</span>
        <span className="text-muted text-sm">
          {points[0]?.label} – {points.at(-1)?.label}
        </span>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 -14 ${width} ${HEIGHT + 30}`}
        className="w-full"
        role="presentation"
      >
        {points.map(({ label, value }, at) => {
          const height = (value / most) * HEIGHT;
          const middle = at * STEP + STEP / 2;
          return (
            <g key={label}>
              <rect
                x={at * STEP + 4}
                y={HEIGHT - height}
                width={STEP - 8}
                height={height}
                rx={2}
                fill="var(--accent)"
              >
                <title>{`${label}: ${whole(value)}`}</title>
              </rect>
              {value > 0 && (
                <text x={middle} y={HEIGHT - height - 4} fontSize="9.5" textAnchor="middle" fill="var(--ink)">
                  {value > 999 ? rounded.format(value) : value}
                </text>
              )}
              <text x={middle} y={HEIGHT + 12} fontSize="9.5" textAnchor="middle" fill="var(--muted)">
                {label.slice(0, 3)}
              </text>
            </g>
          );
        })}
        <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} stroke="var(--line)" />
      </svg>
      {note && <p className="text-muted text-sm">{note}</p>}
      <table className="sr-only">
        <caption>{title}</caption>
        <tbody>
          {points.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{whole(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
