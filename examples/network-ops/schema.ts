/** The tables of a network operations centre: what runs where, who pays for it, and what is wrong with it. */
export const SCHEMA = `
CREATE TABLE site (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL, country TEXT NOT NULL
);
CREATE TABLE redundancy_group (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mode TEXT NOT NULL
);
CREATE TABLE resource (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL,
  vendor TEXT NOT NULL, management_ip TEXT NOT NULL, installed_on DATE NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site (id), redundancy_group_id INTEGER REFERENCES redundancy_group (id)
);
CREATE TABLE link (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, capacity_gbps INTEGER NOT NULL, state TEXT NOT NULL,
  a_resource_id INTEGER NOT NULL REFERENCES resource (id), z_resource_id INTEGER NOT NULL REFERENCES resource (id)
);
CREATE TABLE service (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, category TEXT NOT NULL, launched_on DATE NOT NULL
);
CREATE TABLE service_resource (
  service_id INTEGER NOT NULL REFERENCES service (id), resource_id INTEGER NOT NULL REFERENCES resource (id),
  PRIMARY KEY (service_id, resource_id)
);
CREATE TABLE service_dependency (
  service_id INTEGER NOT NULL REFERENCES service (id), depends_on_service_id INTEGER NOT NULL REFERENCES service (id),
  PRIMARY KEY (service_id, depends_on_service_id)
);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, segment TEXT NOT NULL, country TEXT NOT NULL,
  contact_name TEXT NOT NULL, contact_email TEXT NOT NULL, contact_phone TEXT NOT NULL, contract_value NUMERIC NOT NULL
);
CREATE TABLE sla (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, availability_percent NUMERIC NOT NULL, response_minutes INTEGER NOT NULL,
  penalty_per_hour NUMERIC NOT NULL
);
CREATE TABLE subscription (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  service_id INTEGER NOT NULL REFERENCES service (id), sla_id INTEGER NOT NULL REFERENCES sla (id),
  status TEXT NOT NULL, started_on DATE NOT NULL, ended_on DATE
);
CREATE TABLE alarm (
  id INTEGER PRIMARY KEY, resource_id INTEGER NOT NULL REFERENCES resource (id), severity TEXT NOT NULL, state TEXT NOT NULL,
  title TEXT NOT NULL, raised_at DATETIME NOT NULL, cleared_at DATETIME
);
CREATE TABLE ticket (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, priority TEXT NOT NULL, status TEXT NOT NULL, opened_at DATETIME NOT NULL,
  alarm_id INTEGER REFERENCES alarm (id), customer_id INTEGER REFERENCES customer (id)
);
CREATE TABLE maintenance_window (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL, starts_at DATETIME NOT NULL, ends_at DATETIME NOT NULL,
  service_id INTEGER REFERENCES service (id), resource_id INTEGER REFERENCES resource (id),
  CHECK ((service_id IS NULL) <> (resource_id IS NULL))
);
CREATE TABLE kpi_sample (
  id INTEGER PRIMARY KEY, resource_id INTEGER NOT NULL REFERENCES resource (id), metric TEXT NOT NULL, value REAL NOT NULL,
  unit TEXT NOT NULL, measured_at DATETIME NOT NULL
);
`
