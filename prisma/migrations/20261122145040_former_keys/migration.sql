-- What the trail needs of a replaced AUTH_SECRET, encrypted under the present one (lib/audit/former.ts).
CREATE TABLE "former_keys" (
    "secret_id" BYTEA NOT NULL,
    "wrapped" BYTEA NOT NULL,

    CONSTRAINT "former_keys_pkey" PRIMARY KEY ("secret_id")
);

-- It runs with its owner's rights: only the program's role is given it (lib/operate/program-role.ts).
REVOKE EXECUTE ON FUNCTION drop_audit_month(date, int, text) FROM PUBLIC;
