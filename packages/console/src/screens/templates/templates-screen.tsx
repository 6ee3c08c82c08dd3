/** Templates: commands with a name. Triggers: which uploads run them by themselves. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { Plus, Workflow as WorkflowIcon } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Screen } from '../../ui/screen.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { TemplateTable } from './template-table.tsx';
import styles from './templates.module.css';
import { TriggerDialog } from './trigger-dialog.tsx';
import { TriggerTable } from './trigger-table.tsx';

export const TemplatesScreen = createLazyRoute('/shell/templates')({ component: Templates });

function Templates() {
  const say = useTranslations('templates');
  // Of its parts: words that came only with them would take the whole screen away for a moment.
  useTranslations('commands');
  const session = useSession();
  const curl = useCurl();
  const { client, account } = session;
  const navigate = useNavigate();
  const { template } = TemplatesScreen.useSearch();
  const [isNew, setNew] = useState(false);
  const [isTrigger, setTrigger] = useState(false);
  const workflows = useQuery({
    queryKey: ['templates', account],
    queryFn: ({ signal }) => client.processing.workflows({ signal }),
  });
  const triggers = useQuery({
    queryKey: ['templates', account, 'triggers'],
    queryFn: ({ signal }) => client.processing.triggers({ signal }),
  });
  const open = (name: string | undefined) =>
    void navigate({
      to: '/templates',
      search: (was) => ({ account: was.account, template: name }),
      replace: true,
    });
  const chosen = workflows.data?.find(({ name }) => name === template);
  const hasTemplates = (workflows.data?.length ?? 0) > 0;
  return (
    <Screen
      title={say('title')}
      className={styles.screen}
      acts={
        <Button kind="primary" icon={<Plus className="icon" aria-hidden />} onClick={() => setNew(true)}>
          {say('template.new')}
        </Button>
      }
    >
      <div className={styles.pageBody}>
        {workflows.isError && (
          <Failure error={workflows.error} what={say('failed')} again={() => void workflows.refetch()} />
        )}
        {workflows.data?.length === 0 && (
          <Empty
            title={say('empty.title')}
            words={say('empty.words')}
            icon={<WorkflowIcon className="icon" aria-hidden />}
          />
        )}
        {hasTemplates && (
          <section>
            <h2>{say('template.title')}</h2>
            <TemplateTable templates={workflows.data ?? []} triggers={triggers.data ?? []} open={open} />
          </section>
        )}
        {triggers.isError && (
          <Failure
            error={triggers.error}
            what={say('trigger.failed')}
            again={() => void triggers.refetch()}
          />
        )}
        {hasTemplates && (
          <section className="section">
            <header>
              <h2 className="grow">{say('trigger.title')}</h2>
              <Button onClick={() => setTrigger(true)}>{say('trigger.new')}</Button>
            </header>
            <p className="soft">{say('trigger.words')}</p>
            <TriggerTable triggers={triggers.data ?? []} open={open} />
          </section>
        )}
        <section className={styles.same}>
          <h2>{say('asCommand')}</h2>
          <CommandTabs
            commands={{
              curl: `${curl({ role: 'api', target: '/v1/workflows' })}\n${curl({ role: 'api', target: '/v1/triggers' })}`,
              cli: 'millpond workflow list\nmillpond trigger list',
              sdk: 'const templates = await client.processing.workflows();\nconst triggers = await client.processing.triggers();',
            }}
          />
        </section>
      </div>
      {(isNew || chosen !== undefined) && (
        <TemplateDialog
          template={isNew ? undefined : chosen}
          close={() => {
            setNew(false);
            open(undefined);
          }}
        />
      )}
      {isTrigger && <TriggerDialog templates={workflows.data ?? []} close={() => setTrigger(false)} />}
    </Screen>
  );
}
