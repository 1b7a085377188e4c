-- Which enrolled subjects break a criterion of their study by their latest results. Written by hand, apart from the rules, to
-- check them. Results of one analyte at the same latest moment must all break it. Nine digits are enough to undo what
-- multiplying doubles adds (1.5 * 88.4 is 132.60000000000002 to SQLite).
WITH
  latest AS (
    SELECT l.* FROM lab_result l
    WHERE NOT EXISTS (
      SELECT 1 FROM lab_result later
      WHERE later.subject_id = l.subject_id AND later.analyte = l.analyte AND later.taken_at > l.taken_at
    )
  ),
  judged AS (
    SELECT s.code AS subject, st.name AS study, c.id AS criterion_id, c.analyte, c.operator, c.threshold, c.unit,
      round(l.value * CASE WHEN l.unit = c.unit THEN 1 ELSE u.factor END, 9) AS value
    FROM enrolment e
      JOIN subject s ON s.id = e.subject_id
      JOIN study st ON st.id = e.study_id
      JOIN eligibility_criterion c ON c.study_id = e.study_id
      JOIN latest l ON l.subject_id = e.subject_id AND l.analyte = c.analyte
      LEFT JOIN unit_conversion u ON u.analyte = l.analyte AND u.from_unit = l.unit AND u.to_unit = c.unit
    WHERE e.status = 'enrolled'
  )
SELECT subject, study, analyte, operator, threshold, unit
FROM judged
GROUP BY subject, study, criterion_id
HAVING min(
  CASE
    WHEN value IS NULL THEN 0
    WHEN operator = '<' THEN value >= threshold
    WHEN operator = '<=' THEN value > threshold
    WHEN operator = '>' THEN value <= threshold
    WHEN operator = '>=' THEN value < threshold
  END
) = 1
ORDER BY subject, study, analyte
