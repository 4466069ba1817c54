-- The forms list sorted by Form Type, and the forms of one type.
CREATE INDEX forms_of_type ON forms (form_type_id, service_on, id) INCLUDE (reconciled, user_id, service_status, client_id, client_name);
