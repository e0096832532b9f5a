-- Reports need the sizes of clusters over time.
create index event_cluster_changed on event (cluster, sequence) where type = 'CLUSTER_CHANGED';
