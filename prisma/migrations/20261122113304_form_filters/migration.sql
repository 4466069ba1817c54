-- CreateIndex
CREATE INDEX "forms_reconciled_service_status_service_on_id_idx" ON "forms"("reconciled", "service_status", "service_on", "id");

-- CreateIndex
CREATE INDEX "forms_form_type_id_reconciled_service_status_id_idx" ON "forms"("form_type_id", "reconciled", "service_status", "id");

-- CreateIndex
CREATE INDEX "forms_form_type_id_reconciled_service_on_id_idx" ON "forms"("form_type_id", "reconciled", "service_on", "id");

-- What Prisma cannot say, since it does not know of the client's name.
CREATE INDEX forms_form_type_id_reconciled_client_name_id_idx ON forms (form_type_id, reconciled, client_name, id);
CREATE INDEX forms_reconciled_service_status_client_name_id_idx ON forms (reconciled, service_status, client_name, id);

-- Forms of some days are found by the day's index, or met while another is read; neither needs the table for it.
DROP INDEX forms_reconciled_service_on_id_idx;
CREATE INDEX forms_reconciled_service_on_id_idx ON forms (reconciled, service_on, id)
  INCLUDE (user_id, form_type_id, service_status, client_name);
DROP INDEX forms_user_id_reconciled_service_on_id_idx;
CREATE INDEX forms_user_id_reconciled_service_on_id_idx ON forms (user_id, reconciled, service_on, id)
  INCLUDE (form_type_id, service_status, client_name);
DROP INDEX forms_reconciled_client_name_id_idx;
CREATE INDEX forms_reconciled_client_name_id_idx ON forms (reconciled, client_name, id) INCLUDE (service_on);
DROP INDEX forms_reconciled_service_status_id_idx;
CREATE INDEX forms_reconciled_service_status_id_idx ON forms (reconciled, service_status, id) INCLUDE (service_on);
DROP INDEX forms_form_type_id_reconciled_id_idx;
CREATE INDEX forms_form_type_id_reconciled_id_idx ON forms (form_type_id, reconciled, id) INCLUDE (service_on);
DROP INDEX forms_user_id_reconciled_id_idx;
CREATE INDEX forms_user_id_reconciled_id_idx ON forms (user_id, reconciled, id) INCLUDE (service_on);
DROP INDEX forms_user_id_reconciled_client_name_id_idx;
CREATE INDEX forms_user_id_reconciled_client_name_id_idx ON forms (user_id, reconciled, client_name, id) INCLUDE (service_on);
DROP INDEX forms_user_id_reconciled_service_status_id_idx;
CREATE INDEX forms_user_id_reconciled_service_status_id_idx ON forms (user_id, reconciled, service_status, id) INCLUDE (service_on);
DROP INDEX forms_user_id_reconciled_form_type_id_id_idx;
CREATE INDEX forms_user_id_reconciled_form_type_id_id_idx ON forms (user_id, reconciled, form_type_id, id) INCLUDE (service_on);
