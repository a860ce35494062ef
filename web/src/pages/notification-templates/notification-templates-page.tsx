import { Badge, Button, Group, Tabs, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatEvent } from '../../components/event-type.ts';
import { Loaded } from '../../components/loaded.tsx';
import { presetOptions } from '../../components/preset-options.ts';
import { TemplateEditor } from '../../components/template-editor/template-workbench.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Template = Schemas['NotificationTemplateInfo'];

const titles: Record<Template['category'], string> = {
  new_alert: 'New alerts',
  acknowledged: 'Acknowledgments',
  resolved: 'Resolved alerts',
};

export default function NotificationTemplatesPage() {
  const templates = useApi('listNotificationTemplates');
  const { category } = useSearch({ from: '/shell/notification-templates' });
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Message templates"
        about="Templates for generic webhooks. Slack, Teams, and other platforms use built-in messages. Channels can override templates."
      />
      <Loaded query={templates}>
        {({ items }) => (
          <Tabs
            value={items.find((item) => item.category === category)?.category ?? 'new_alert'}
            onChange={(chosen) =>
              void navigate({
                to: '/notification-templates',
                search: chosen === null ? {} : { category: chosen },
                replace: true,
              })
            }
            keepMounted={false}
          >
            <Tabs.List mb="md">
              {items.map((item) => (
                <Tabs.Tab
                  key={item.category}
                  value={item.category}
                  rightSection={
                    <Badge size="xs" variant="default">
                      {item.source === 'global_default' ? 'Default' : 'Custom'}
                    </Badge>
                  }
                >
                  {titles[item.category]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {items.map((item) => (
              <Tabs.Panel key={item.category} value={item.category}>
                <CategoryTemplate template={item} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Loaded>
    </>
  );
}

function CategoryTemplate({ template }: { template: Template }) {
  const { category, source, body, default_body, events, fields, updated_at } = template;
  const isOwn = source === 'organization_override';
  const isAdmin = useHasRole('admin');
  const confirm = useConfirm();
  const save = useAction('updateNotificationTemplate', { quiet: true, done: 'Template saved' });
  const reset = useAction('deleteNotificationTemplate', { done: 'Template reset to default' });
  // Edited text and the revision that it's based on. `null` without edits, so that changes by other users
  // appear.
  const [typed, setTyped] = useState<{ text: string; revision: number } | null>(null);
  const text = typed?.text ?? body;
  const onDiscard = () => {
    setTyped(null);
    save.reset();
    void queryClient.invalidateQueries();
  };
  const onReset = async () => {
    const isSure = await confirm({
      title: 'Reset to the global default?',
      body: 'This deletes your template. Messages use the global default from now on.',
      confirm: 'Reset to default',
      danger: true,
    });
    if (!isSure) return;
    await reset.mutateAsync({ path: { category } });
    setTyped(null);
  };
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" c="var(--text-muted)">
          Events: {events.map(formatEvent).join(', ')}.{' '}
          {isOwn ? (
            <>
              Custom template, updated <RelativeTime at={updated_at} />.
            </>
          ) : (
            'Global default. Edit to customize.'
          )}
        </Text>
        {isAdmin && (
          <Group gap="xs">
            {isOwn && (
              <Button variant="default" loading={reset.isPending} onClick={() => void onReset()}>
                Reset to default
              </Button>
            )}
            {!isOwn && text !== default_body && (
              <Button variant="default" onClick={() => setTyped(null)}>
                Discard changes
              </Button>
            )}
            <Button
              disabled={text === body || text === ''}
              loading={save.isPending}
              onClick={() =>
                save.mutate(
                  { path: { category }, body: { body: text }, ...ifMatchOf(typed ?? template) },
                  { onSuccess: () => setTyped(null) },
                )
              }
            >
              Save template
            </Button>
          </Group>
        )}
      </Group>
      {save.error && <ErrorNotice error={save.error} discard={onDiscard} />}
      <TemplateEditor
        category={category}
        events={events}
        fields={fields}
        value={text}
        onChange={(next) =>
          setTyped(next === body ? null : { text: next, revision: typed?.revision ?? template.revision })
        }
        isReadOnly={!isAdmin}
        presets={presetOptions}
      />
    </>
  );
}
