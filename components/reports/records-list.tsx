import { Link } from "@/components/ui/link";
import { counted, date, whole } from "@/lib/fields/format";
import type { RecordRow } from "@/lib/reports/records";

/** The clients behind a number or a gap, each with the forms that count there. The anchors make links open at a field. */
export function RecordsList({
  label,
  rows,
  total,
  hidden,
  hiddenAre,
  opensClients,
  clientAnchor = "",
  formAnchor = "",
}: {
  label: string;
  rows: RecordRow[];
  /** How many clients the user may see; `rows` may hold only the first of them. */
  total: number;
  /** How many more clients or forms count there that the user may not see. */
  hidden: number;
  hiddenAre: "clients" | "forms";
  opensClients: boolean;
  clientAnchor?: string;
  formAnchor?: string;
}) {
  return (
    <div className="stack">
      <p>
        {counted(total, "client")}
        {rows.length < total && `, of which the first ${whole(rows.length)} are shown`}
        {hidden > 0 &&
          `, and ${whole(hidden)} more ${hidden === 1 ? hiddenAre.slice(0, -1) : hiddenAre} that you may not see`}
        .
      </p>
      {rows.length > 0 && (
        <div className="card @container overflow-hidden">
          <table className="data-table" aria-label={label}>
            <thead>
              <tr>
                <th scope="col">Client</th>
                <th scope="col">Forms</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, forms }) => (
                <tr key={id}>
                  <td data-label="Client">
                    {opensClients ? (
                      <Link className="link" prefetch={false} href={`/clients/${id}/edit${clientAnchor}`}>
                        {name}
                      </Link>
                    ) : (
                      name
                    )}
                  </td>
                  <td data-label="Forms">
                    <ul className="space-y-1">
                      {forms.map((form) => (
                        <li key={form.id}>
                          <Link
                            className="link"
                            prefetch={false}
                            href={`/forms/${form.id}/edit${formAnchor}`}
                          >
                            {date(form.serviceOn)} {form.formType}
                          </Link>{" "}
                          <span className="text-muted text-sm">
                            {form.serviceStatus}, {form.advocate}
                          </span>
                        </li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
