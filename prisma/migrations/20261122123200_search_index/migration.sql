-- The forms of the clients that a search finds are counted and sorted without the table.
DROP INDEX forms_client_id_reconciled_service_on_id_idx;
CREATE INDEX forms_client_id_reconciled_service_on_id_idx ON forms (client_id, reconciled, service_on, id)
  INCLUDE (user_id, form_type_id, service_status, client_name);
