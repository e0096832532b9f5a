CREATE TABLE thing (id bigint PRIMARY KEY);
