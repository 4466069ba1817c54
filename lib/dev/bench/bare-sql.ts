// The statements of the bare server, each with one column `body` of JSON. They read and write as much as the product.
// Each writes its row of the audit trail as the product does. A read does not wait for the disk.

/** The parts of a request body as the product accepts it: `{"form": {…, "intakeFormAttributes": {…}, …}}`. */
const PARTS = `
  sent AS (SELECT f, f->'intakeFormAttributes' AS i, f->'intakeFormAttributes'->'legalAdvocacyEntryAttributes' AS l,
      f->'intakeFormAttributes'->'survivorEntryAttributes' AS s, f->'serviceEntryAttributes' AS se
    FROM (SELECT $2::jsonb->'form' AS f) AS body),
  given AS (SELECT r.* FROM sent, jsonb_to_recordset(se->'serviceProvidedEntriesAttributes')
    AS r(id int, "serviceCodeId" int, magisterial boolean, minutes int, referrals text))`;

/** A part that records an action of the request `$request` on the rows of `from`. */
const recorded = (
  action: string,
  entity: string,
  request: string,
  from: string,
  more: Record<string, string>,
) => `
  recorded AS (INSERT INTO audit_events
      (user_id, user_name, action, entity, request_id, address, ${Object.keys(more).join(", ")})
    SELECT 1, 'Bare Server', '${action}', '${entity}', ${request}::text, '127.0.0.1', ${Object.values(more).join(", ")}
    FROM ${from})`;
const SOON_WRITTEN = "set_config('synchronous_commit', 'off', true)";
const recordListed = (entity: string) =>
  recorded("listed", entity, "$3", `page, ${SOON_WRITTEN}`, {
    rows: "count(*)::int",
    shown: "COALESCE(array_agg(id), '{}')",
  });
/** Includes the changes, as names and as (here random) bytes. */
const recordSaved = recorded("updated", "form", "$3", "form", {
  entity_id: "id",
  client_id: "(SELECT (f->>'clientId')::int FROM sent)",
  fields: "$4::text[]",
  details: "$5::bytea",
});

const FORM_JSON = `
  json_build_object('form', f, 'client', json_build_object('id', c.id, 'name', c.name),
    'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name), 'formType', t,
    'intake', i, 'phone', p, 'income', e, 'onCall', o, 'legal', l, 'pfaCourt', pc, 'magisterial', m, 'survivor', s,
    'victimizations', (SELECT json_agg(secondary_victimization_id) FROM survivor_entry_secondary_victimizations WHERE survivor_entry_id = s.id),
    'brainInjury', b, 'offender', x, 'status', ss, 'service', se,
    'reconciledBy', (SELECT json_build_object('id', id, 'firstName', first_name, 'lastName', last_name) FROM users WHERE id = f.reconciled_by_id),
    'returned', CASE WHEN f.returned_at IS NOT NULL THEN json_build_object('at', f.returned_at, 'comment', f.return_comment,
      'by', (SELECT json_build_object('id', id, 'firstName', first_name, 'lastName', last_name) FROM users WHERE id = f.returned_by_id)) END,
    'comments', (SELECT COALESCE(json_agg(k ORDER BY k.id), '[]') FROM form_comments k WHERE k.form_id = f.id),
    'provided', (SELECT json_agg(json_build_object('row', sp, 'code', sc, 'video', v, 'hotel', h) ORDER BY sp.id)
      FROM service_provided_entries sp JOIN service_codes sc ON sc.id = sp.service_code_id
        LEFT JOIN videoconferencing_entries v ON v.service_provided_entry_id = sp.id
        LEFT JOIN hotel_shelter_entries h ON h.service_provided_entry_id = sp.id
      WHERE sp.service_entry_id = se.id))::text AS body
  FROM forms f JOIN clients c ON c.id = f.client_id JOIN users u ON u.id = f.user_id JOIN form_types t ON t.id = f.form_type_id
    LEFT JOIN intake_forms i ON i.form_id = f.id
    LEFT JOIN phone_entries p ON p.intake_form_id = i.id
    LEFT JOIN income_and_education_entries e ON e.phone_entry_id = p.id
    LEFT JOIN on_call_advocacy_entries o ON o.intake_form_id = i.id
    LEFT JOIN legal_advocacy_entries l ON l.intake_form_id = i.id
    LEFT JOIN pfa_court_entries pc ON pc.legal_advocacy_entry_id = l.id
    LEFT JOIN magisterial_entries m ON m.legal_advocacy_entry_id = l.id
    LEFT JOIN survivor_entries s ON s.intake_form_id = i.id
    LEFT JOIN brain_injury_entries b ON b.survivor_entry_id = s.id
    LEFT JOIN offender_entries x ON x.survivor_entry_id = s.id
    LEFT JOIN service_status_entries ss ON ss.form_id = f.id
    LEFT JOIN service_entries se ON se.form_id = f.id
  WHERE f.id = $1`;

export const STATEMENTS = {
  me: `
  SELECT json_build_object('userId', u.id, 'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email,
    'permissions', (SELECT json_agg(json_build_object('id', p.id, 'name', p.name))
      FROM role_permissions r JOIN permissions p ON p.id = r.permission_id WHERE r.role_id = u.role_id))::text AS body
  FROM users u WHERE u.id = $1`,

  "GET forms": `
  WITH page AS (SELECT id, service_on FROM forms WHERE NOT reconciled ORDER BY service_on DESC, id DESC LIMIT $1 OFFSET $2),
  ${recordListed("form")}
  SELECT json_build_object(
    'total', (SELECT count(*) FROM (SELECT FROM forms WHERE NOT reconciled LIMIT 10001) AS c),
    'forms', (SELECT json_agg(json_build_object('id', f.id, 'serviceOn', f.service_on, 'serviceStatus', f.service_status,
        'reconciled', f.reconciled, 'client', json_build_object('id', c.id, 'name', c.name, 'purged', c.purged),
        'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name),
        'formType', json_build_object('id', t.id, 'name', t.name)) ORDER BY page.service_on DESC, page.id DESC)
      FROM page JOIN forms f ON f.id = page.id JOIN clients c ON c.id = f.client_id JOIN users u ON u.id = f.user_id
        JOIN form_types t ON t.id = f.form_type_id))::text AS body`,

  "GET clients": `
  WITH page AS (SELECT id, created_on FROM clients ORDER BY created_on DESC, id DESC LIMIT $1 OFFSET $2),
  ${recordListed("client")}
  SELECT json_build_object(
    'total', (SELECT count(*) FROM (SELECT FROM clients LIMIT 10001) AS c),
    'clients', (SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'userId', c.user_id, 'createdOn', c.created_on,
        'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name))
        ORDER BY page.created_on DESC, page.id DESC)
      FROM page JOIN clients c ON c.id = page.id JOIN users u ON u.id = c.user_id))::text AS body`,

  "GET users": `
  WITH page AS (SELECT * FROM users ORDER BY id LIMIT $1 OFFSET $2),
  ${recordListed("user")}
  SELECT json_build_object('total', (SELECT count(*) FROM users),
    'users', (SELECT json_agg(json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name,
        'email', u.email, 'roleId', u.role_id, 'fullName', u.first_name || ' ' || u.last_name,
        'role', json_build_object('id', r.id, 'name', r.name), 'lastLoginAt', u.last_login_at,
        'activatedAt', u.activated_at, 'active', u.active,
        'twoStep', EXISTS (SELECT FROM two_steps s WHERE s.user_id = u.id AND s.secret IS NOT NULL),
        'status', CASE WHEN NOT u.active THEN 'deactivated' WHEN u.activated_at IS NULL
          OR (u.password_hash IS NULL AND u.sso_subject IS NULL) THEN 'invited' ELSE 'active' END) ORDER BY u.id)
      FROM page u JOIN roles r ON r.id = u.role_id))::text AS body`,

  readForm: `SELECT ${FORM_JSON}`,

  viewForm: `
  WITH read AS (SELECT f.id, f.client_id, ${FORM_JSON}),
  ${recorded("viewed", "form", "$2", `read, ${SOON_WRITTEN}`, { entity_id: "id", client_id: "client_id" })}
  SELECT body FROM read`,

  updateForm: `
  WITH ${PARTS},
  form AS (UPDATE forms SET service_on = (f->>'serviceOn')::date, service_status = f->>'serviceStatus',
      verbal_confirmation = (f->>'verbalConfirmation')::boolean, canine_id = (f->>'canineId')::int,
      lock_version = lock_version + 1, updated_at = now() FROM sent WHERE id = $1 RETURNING id),
  intake AS (UPDATE intake_forms SET referral_source_id = (i->>'referralSourceId')::int,
      referral_source_name = i->>'referralSourceName' FROM sent WHERE form_id = $1 RETURNING id),
  legal AS (UPDATE legal_advocacy_entries t SET evaluation_given = (l->>'evaluationGiven')::boolean,
      place_of_service_name = l->>'placeOfServiceName' FROM sent, intake WHERE intake_form_id = intake.id RETURNING t.id),
  survivor AS (UPDATE survivor_entries t SET child_ages = s->>'childAges', number_of_children = (s->>'numberOfChildren')::int,
      offender_relationship_id = (s->>'offenderRelationshipId')::int
      FROM sent, intake WHERE intake_form_id = intake.id RETURNING t.id),
  offender AS (UPDATE offender_entries SET name = s->'offenderEntryAttributes'->>'name'
      FROM sent, survivor WHERE survivor_entry_id = survivor.id),
  service AS (UPDATE service_entries SET other_service = se->>'otherService',
      other_service_minutes = (se->>'otherServiceMinutes')::int FROM sent WHERE form_id = $1 RETURNING id),
  gone AS (DELETE FROM service_provided_entries t USING service
      WHERE service_entry_id = service.id AND t.id NOT IN (SELECT id FROM given WHERE id IS NOT NULL)),
  kept AS (UPDATE service_provided_entries t SET minutes = given.minutes, referrals = given.referrals,
      magisterial = given.magisterial FROM given WHERE t.id = given.id),
  ${recordSaved}
  SELECT id::text AS body FROM form`,
} as const;
