import { whole } from "@/lib/fields/format";

const HEIGHT = 80;
const STEP = 24;

/**
 * A small bar chart, drawn on the server. Screen readers get the same numbers as a table. In the picture only the
 * highest bar and the last one are labelled.
 */
export function BarChart({
  title,
  points,
}: {
  title: string;
  points: readonly { label: string; value: number }[];
}) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const width = points.length * STEP;
  const [longest, last] = [points.findIndex(({ value }) => value === most), points.length - 1];
  // The labels of two neighbouring bars would overlap.
  const named = new Set(last - longest === 1 ? [longest] : [longest, last]);
  return (
    <figure className="card p-4">
      <figcaption className="mb-2 font-semibold">{title}</figcaption>
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
              />
              {named.has(at) && (
                <text
                  x={at === last ? width : middle}
                  y={HEIGHT - height - 4}
                  fontSize="9"
                  textAnchor={at === last ? "end" : "middle"}
                  fill="var(--ink)"
                >
                  {whole(value)}
                </text>
              )}
              <text x={middle} y={HEIGHT + 12} fontSize="8" textAnchor="middle" fill="var(--muted)">
                {label.slice(0, 3)}
              </text>
            </g>
          );
        })}
        <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} stroke="var(--line)" />
      </svg>
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
