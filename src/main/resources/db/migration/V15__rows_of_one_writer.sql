-- One writer writes these rows, whole batches in one transaction that begins with the lock on the cluster's row, and nothing
-- they point at is ever deleted: a check for each of them costs a fifth of what they cost, and finds nothing.
alter table event
    drop constraint event_cluster_fkey,
    drop constraint event_reservation_fkey,
    drop constraint event_outage_fkey,
    drop constraint event_request_fkey,
    drop constraint event_cluster_cluster_version_fkey;
alter table reservation drop constraint reservation_cluster_fkey;
alter table idempotency_key drop constraint idempotency_key_cluster_fkey;
