-- Who is at risk from which resource, and over how many hops. Written by hand, apart from the rules, to check them.
WITH RECURSIVE
  working (id) AS (SELECT resource_id FROM maintenance_window WHERE state = 'in_progress' AND resource_id IS NOT NULL),
  maintained (id) AS (SELECT service_id FROM maintenance_window WHERE state = 'in_progress' AND service_id IS NOT NULL),
  broken (id) AS (
    SELECT DISTINCT r.id FROM resource r JOIN alarm a ON a.resource_id = r.id
    WHERE r.status = 'degraded' AND a.severity = 'critical' AND a.state = 'open' AND r.id NOT IN (SELECT id FROM working)
  ),
  hit (service_id, resource_id, hops) AS (
    SELECT sr.service_id, sr.resource_id, 1
    FROM service_resource sr JOIN resource r ON r.id = sr.resource_id
    WHERE r.id IN (SELECT id FROM broken)
      AND sr.service_id NOT IN (SELECT id FROM maintained)
      AND NOT EXISTS (
        SELECT 1 FROM service_resource other JOIN resource spare ON spare.id = other.resource_id
        WHERE other.service_id = sr.service_id AND spare.id <> r.id AND spare.redundancy_group_id = r.redundancy_group_id
          AND spare.id NOT IN (SELECT id FROM broken) AND spare.id NOT IN (SELECT id FROM working)
      )
    UNION
    SELECT d.service_id, hit.resource_id, hit.hops + 1
    FROM hit JOIN service_dependency d ON d.depends_on_service_id = hit.service_id
    WHERE d.service_id NOT IN (SELECT id FROM maintained) AND hit.hops < 20
  )
SELECT c.name AS customer, r.name AS resource, min(hit.hops) AS hops
FROM hit
  JOIN subscription s ON s.service_id = hit.service_id AND s.status = 'active'
  JOIN customer c ON c.id = s.customer_id
  JOIN resource r ON r.id = hit.resource_id
GROUP BY c.id, r.id
ORDER BY r.name, hops, c.name
