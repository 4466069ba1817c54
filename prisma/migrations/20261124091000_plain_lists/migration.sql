-- Lists count their rows when they are read.
DROP TRIGGER tally_added ON clients;
DROP TRIGGER tally_removed ON clients;
DROP TRIGGER tally_moved ON clients;
DROP TRIGGER tally_none ON clients;
DROP TRIGGER tally_added ON forms;
DROP TRIGGER tally_removed ON forms;
DROP TRIGGER tally_moved ON forms;
DROP TRIGGER tally_none ON forms;
DROP FUNCTION tally_clients(), tally_forms(), tally_moved_client(), tally_moved_form(), tally_none();
DROP TABLE tallies;

-- Forms have one index for each order that lists are read in, and the same for unreconciled forms, which most lists show.
-- The included columns answer filters from the index alone.
DROP INDEX
  forms_canine_id_idx,
  forms_client_id_reconciled_service_on_id_idx,
  forms_form_type_id_reconciled_client_name_service_on_id_idx,
  forms_form_type_id_reconciled_service_on_id_idx,
  forms_form_type_id_reconciled_service_status_service_on_id_idx,
  forms_reconciled_by_id_idx,
  forms_reconciled_client_name_service_on_id_idx,
  forms_reconciled_service_on_id_idx,
  forms_reconciled_service_status_client_name_service_on_id_idx,
  forms_reconciled_service_status_service_on_id_idx,
  forms_returned_by_id_idx,
  forms_updated_by_id_idx,
  forms_user_id_reconciled_client_name_service_on_id_idx,
  forms_user_id_reconciled_form_type_id_service_on_id_idx,
  forms_user_id_reconciled_service_on_id_idx,
  forms_user_id_reconciled_service_status_service_on_id_idx;

CREATE INDEX forms_by_day ON forms (service_on, id)
  INCLUDE (reconciled, user_id, form_type_id, service_status, client_id, client_name);
CREATE INDEX forms_by_client ON forms (client_name, service_on, id)
  INCLUDE (reconciled, user_id, form_type_id, service_status, client_id);
CREATE INDEX forms_by_status ON forms (service_status, service_on, id)
  INCLUDE (reconciled, user_id, form_type_id, client_id, client_name);
CREATE INDEX forms_unreconciled_by_day ON forms (service_on, id)
  INCLUDE (user_id, form_type_id, service_status, client_id, client_name) WHERE NOT reconciled;
CREATE INDEX forms_unreconciled_by_client ON forms (client_name, service_on, id)
  INCLUDE (user_id, form_type_id, service_status, client_id) WHERE NOT reconciled;
CREATE INDEX forms_unreconciled_by_status ON forms (service_status, service_on, id)
  INCLUDE (user_id, form_type_id, client_id, client_name) WHERE NOT reconciled;
CREATE INDEX forms_of_user ON forms (user_id, service_on, id)
  INCLUDE (reconciled, form_type_id, service_status, client_id, client_name);
CREATE INDEX forms_of_client ON forms (client_id, service_on, id)
  INCLUDE (reconciled, user_id, form_type_id, service_status, client_name);
