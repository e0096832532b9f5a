-- Outages may overlap, and the beginning of one that was announced is an event.

alter table outage add begins_at timestamptz;
comment on column outage.begins_at is 'when it will begin; null once it has begun';

-- A window that was refused is tried again: those that are recorded already are recognized by their outages.
update maintenance set recorded = 0 where jsonb_array_length(content::jsonb -> 'refused') > 0;
update maintenance set content = (content::jsonb - 'refused')::text;
