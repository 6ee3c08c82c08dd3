/** Every event and callback that was sent: to whom, what they answered, and sending it again. */
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ResendDialog } from './again.tsx';
import styles from './deliveries.module.css';
import { DeliveryPane } from './delivery-pane.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { EndpointPane } from './endpoint-pane.tsx';
import { useDeliveries, useEndpoints } from './queries.ts';
import type { DeliveriesSearch } from './search.ts';

const allRoute = getRouteApi('/shell/deliveries');
const oneRoute = getRouteApi('/shell/deliveries/$id');
const endpointRoute = getRouteApi('/shell/endpoints/$endpoint');

function Deliveries({ search, id }: { readonly search: DeliveriesSearch; readonly id?: string | undefined }) {
  const say = useTranslations('deliveries');
  const [asked, setAsked] = useState<'recover' | 'replay' | undefined>();
  const { data: endpoints } = useEndpoints();
  // Callbacks of uploads belong to no endpoint.
  const { data: sent } = useDeliveries(search);
  const isAll = search.endpoint === undefined && search.state === undefined && id === undefined;
  const isBare = isAll && endpoints?.length === 0 && sent?.pages[0]?.items.length === 0;
  // Only events are sent again many at a time, and each of them has an endpoint.
  const isEventSent = endpoints !== undefined && endpoints.length > 0;
  return (
    <Screen
      title={say('title')}
      className={`${styles.screen} ${id === undefined ? '' : styles.showDetail}`}
      facts={<span className="quiet text-small desktop-only">{say('kept')}</span>}
      acts={
        isEventSent && (
          <>
            <Button onClick={() => setAsked('recover')}>{say('recover')}</Button>
            <Button onClick={() => setAsked('replay')}>{say('replay')}</Button>
          </>
        )
      }
    >
      <ResendDialog kind={asked} endpoint={search.endpoint} close={() => setAsked(undefined)} />
      {isBare ? (
        <Empty title={say('empty.title')} words={say('empty.words')}>
          <code>{'millpond listen --forward-to http://localhost:3000/events'}</code>
        </Empty>
      ) : (
        <div className={`panes ${styles.deliveryPanes}`}>
          <EndpointList search={search} />
          <EndpointPane search={search} id={id} />
          <DeliveryPane id={id} search={search} />
        </div>
      )}
    </Screen>
  );
}

function All() {
  return <Deliveries search={allRoute.useSearch()} />;
}

function One() {
  return <Deliveries search={oneRoute.useSearch()} id={oneRoute.useParams().id} />;
}

function Endpoint() {
  const { endpoint } = endpointRoute.useParams();
  return <Deliveries search={{ ...endpointRoute.useSearch(), endpoint }} />;
}

export const AllScreen = createLazyRoute('/shell/deliveries')({ component: All });
export const OneScreen = createLazyRoute('/shell/deliveries/$id')({ component: One });
export const EndpointScreen = createLazyRoute('/shell/endpoints/$endpoint')({ component: Endpoint });
