-- Reports need the sizes of clusters over time.
create index event_cluster_changed on event (cluster, sequence) where type = 'CLUSTER_CHANGED';

-- Reports add up a tenth of the table's bytes.
create index event_reported on event (cluster, at) include (type, version, owner, project, currency, price, credit)
    where type in ('COMPLETED', 'CANCELLED', 'RELEASED', 'EXPIRED', 'FAILED', 'RETURN_CREDITED') or type = 'MOVED' or version = 0;
