-- one request may move so many at most, since all others wait meanwhile; those that were there before keep as much freedom as there is
update cluster set max_moves = 1000 where max_moves is null or max_moves > 1000;
update cluster_version set max_moves = 1000 where max_moves is null or max_moves > 1000;
