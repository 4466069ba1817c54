-- Forms that are equal in what a list is sorted by come by their day, so that every order but the one by client can be
-- read within a range of days, and orders by a user, a type or a status alone need no index of their own.
DROP INDEX "forms_reconciled_service_status_id_idx";
DROP INDEX "forms_form_type_id_reconciled_id_idx";
DROP INDEX "forms_user_id_reconciled_id_idx";
DROP INDEX "forms_form_type_id_reconciled_service_status_id_idx";
DROP INDEX "forms_user_id_reconciled_service_status_id_idx";
DROP INDEX "forms_user_id_reconciled_form_type_id_id_idx";
DROP INDEX forms_reconciled_client_name_id_idx;
DROP INDEX forms_user_id_reconciled_client_name_id_idx;
DROP INDEX forms_form_type_id_reconciled_client_name_id_idx;
DROP INDEX forms_reconciled_service_status_client_name_id_idx;

-- CreateIndex
CREATE INDEX "forms_form_type_id_reconciled_service_status_service_on_id_idx" ON "forms"("form_type_id", "reconciled", "service_status", "service_on", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_service_status_service_on_id_idx" ON "forms"("user_id", "reconciled", "service_status", "service_on", "id");

-- CreateIndex
CREATE INDEX "forms_user_id_reconciled_form_type_id_service_on_id_idx" ON "forms"("user_id", "reconciled", "form_type_id", "service_on", "id");

-- What Prisma cannot say, since it does not know of the client's name.
CREATE INDEX forms_reconciled_client_name_service_on_id_idx ON forms (reconciled, client_name, service_on, id);
CREATE INDEX forms_user_id_reconciled_client_name_service_on_id_idx ON forms (user_id, reconciled, client_name, service_on, id);
CREATE INDEX forms_form_type_id_reconciled_client_name_service_on_id_idx ON forms (form_type_id, reconciled, client_name, service_on, id);
CREATE INDEX forms_reconciled_service_status_client_name_service_on_id_idx ON forms (reconciled, service_status, client_name, service_on, id);
