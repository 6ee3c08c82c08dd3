-- No version that had pg-boss was ever published, so there are no jobs of it to carry over.
DROP FUNCTION queue.carry_over;
