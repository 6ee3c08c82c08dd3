/** What a black-box test can't do with calls: let time pass for devices while no server runs. */
import pg from 'pg';

/** As if every device had last been heard from this much earlier. */
export async function passDeviceSeconds(regionUrl: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: regionUrl });
  await client.connect();
  try {
    await client.query(
      'UPDATE region.device_registrations SET seen_at = seen_at - make_interval(secs => $1)',
      [seconds],
    );
  } finally {
    await client.end();
  }
}
