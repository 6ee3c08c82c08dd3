import { counter, gauge, type Metric } from '@millpond/base';
import type { SipService } from './sip.service.ts';

/** Counts restart when a process takes over the port. */
export function deviceMetrics(port: SipService): Metric[] {
  return [
    gauge(
      {
        name: 'millpond_sip_listening',
        help: 'Whether this process has the SIP port, or stands by',
      },
      () => port.counts.listening,
    ),
    gauge(
      { name: 'millpond_sip_registrations', help: 'Devices that are registered here' },
      () => port.counts.registrations,
    ),
    counter(
      { name: 'millpond_sip_registered_total', help: 'Registrations, new and refreshed' },
      () => port.counts.registered,
    ),
    counter(
      { name: 'millpond_sip_refused_total', help: 'Requests from devices that were refused' },
      () => port.counts.refused,
    ),
    counter(
      { name: 'millpond_sip_messages_total', help: 'Keepalives and other messages from devices' },
      () => port.counts.messages,
    ),
    counter(
      {
        name: 'millpond_sip_dropped_total',
        help: 'Messages and connections refused because their sender sent too much',
      },
      () => port.counts.dropped,
    ),
    counter(
      {
        name: 'millpond_sip_unreadable_total',
        help: 'Datagrams and connections that held no SIP message',
      },
      () => port.counts.unreadable,
    ),
    gauge(
      { name: 'millpond_sip_pending', help: 'Registrations that are being checked or written' },
      () => port.counts.pending,
    ),
    gauge(
      { name: 'millpond_sip_connections', help: 'TCP connections of devices' },
      () => port.counts.connections,
    ),
    ...mediaMetrics(port),
  ];
}

function mediaMetrics(port: SipService): Metric[] {
  return [
    gauge(
      {
        name: 'millpond_sip_media_sessions',
        help: 'Channels whose media are requested or received',
      },
      () => port.mediaFigures.sessions,
    ),
    gauge(
      { name: 'millpond_sip_media_running', help: 'Channels whose media arrive at the engine' },
      () => port.mediaFigures.running,
    ),
    counter(
      { name: 'millpond_sip_media_packets_total', help: 'RTP packets accepted' },
      () => port.mediaFigures.packets,
    ),
    counter(
      { name: 'millpond_sip_media_lost_total', help: 'RTP packets that never arrived, or too late' },
      () => port.mediaFigures.lost,
    ),
    counter(
      {
        name: 'millpond_sip_media_foreign_total',
        help: 'Datagrams at media ports that belong to no session',
      },
      () => port.mediaFigures.foreign,
    ),
    counter(
      {
        name: 'millpond_sip_media_dropped_total',
        help: 'RTP packets dropped because the engine did not keep up',
      },
      () => port.mediaFigures.dropped,
    ),
  ];
}
