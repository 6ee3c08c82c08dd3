/** What a black-box test can't do by calls: let time pass for devices while no server runs. */
import pg from 'pg';

/** Every device was heard of last so much earlier. */
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
