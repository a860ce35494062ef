import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { presets } from '../../../../src/domain/templates/presets.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditSession, ifMatchOf } from '../../components/edited.tsx';
import { alertEventOptions } from '../../components/event-type.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { presetOptions } from '../../components/preset-options.ts';
import { TemplateEditor } from '../../components/template-editor/template-workbench.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { FormModal } from '../../ui/dialog.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';

type Channel = Schemas['NotificationChannel'];
type Slot = Schemas['NotificationTemplateCategory'] | 'every';

const slots: readonly { slot: Slot; title: string }[] = [
  { slot: 'new_alert', title: 'New alerts' },
  { slot: 'acknowledged', title: 'Acknowledgments' },
  { slot: 'resolved', title: 'Resolved alerts' },
  { slot: 'every', title: 'All other events' },
];

/** Lists the message templates of a channel, with buttons to customize them. */
export function ChannelMessages({ channel }: { channel: Channel }) {
  const [slot, setSlot] = useState<Slot | null>(null);
  const canWrite = useHasRole('member');
  const title = slots.find((each) => each.slot === slot)?.title;
  return (
    <Section title="Messages">
      <Facts
        facts={slots.map(({ slot: each, title: name }) => [
          name,
          <Group key={each} gap="xs">
            {sourceOf(channel, each)}
            {canWrite && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => setSlot(each)}
                aria-label={`${templateOf(channel, each) === null ? 'Customize' : 'Edit'}: ${name}`}
              >
                {templateOf(channel, each) === null ? 'Customize' : 'Edit'}
              </Button>
            )}
          </Group>,
        ])}
      />
      <FormModal
        opened={slot !== null}
        onClose={() => setSlot(null)}
        title={`${channel.name}: ${title?.toLowerCase() ?? ''} template`}
        size="90rem"
        // In the editor, Escape makes the next Tab leave the editor, so Escape must not close the dialog.
        closeOnEscape={false}
      >
        {slot !== null && <ChannelTemplate channel={channel} slot={slot} onDone={() => setSlot(null)} />}
      </FormModal>
    </Section>
  );
}

function templateOf(channel: Channel, slot: Slot): string | null {
  return slot === 'every' ? channel.template : (channel.templates[slot] ?? null);
}

function sourceOf(channel: Channel, slot: Slot): string {
  if (templateOf(channel, slot) !== null) return 'custom template';
  if (slot !== 'every' && channel.template !== null) return 'same as all other events';
  return channel.preset === 'generic' ? 'organization template' : `${presets[channel.preset].label} default`;
}

function ChannelTemplate({ channel, slot, onDone }: { channel: Channel; slot: Slot; onDone: () => void }) {
  const templates = useApi('listNotificationTemplates');
  return (
    <Loaded query={templates}>
      {({ items }) => (
        <EditSession resource={channel}>
          {(opened) => <TemplateForm channel={opened} slot={slot} onDone={onDone} templates={items} />}
        </EditSession>
      )}
    </Loaded>
  );
}

function TemplateForm({
  channel,
  slot,
  onDone,
  templates,
}: {
  channel: Channel;
  slot: Slot;
  onDone: () => void;
  templates: readonly Schemas['NotificationTemplateInfo'][];
}) {
  const own = templateOf(channel, slot);
  const base = templates.find(({ category }) => category === (slot === 'every' ? 'new_alert' : slot));
  const opened = own ?? base?.body ?? '';
  const [text, setText] = useState(opened);
  useUnsaved(() => text !== opened);
  const update = useAction('updateNotificationChannel', { quiet: true, done: 'Template saved' });
  const confirm = useConfirm();
  const save = async (template: string | null) => {
    const { [slot as 'new_alert']: _, ...others } = channel.templates;
    const body =
      slot === 'every'
        ? { template }
        : { templates: template === null ? others : { ...others, [slot]: template } };
    await update.mutateAsync({ path: { id: channel.id }, body, ...ifMatchOf(channel) });
    onDone();
  };
  const onRemove = async () => {
    const isSure = await confirm({
      title: 'Remove this template?',
      body: 'The channel goes back to its default message.',
      confirm: 'Remove',
      danger: true,
    });
    if (isSure) await save(null).catch(() => {});
  };
  if (!base) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save(text).catch(() => {});
      }}
    >
      {slot === 'every' && (
        <Text size="sm" c="var(--text-muted)" mb="sm">
          Used for every event without its own template, including digests, failing jobs, and tests. Use{' '}
          <code>event</code> to distinguish them.
        </Text>
      )}
      <TemplateEditor
        category={slot === 'every' ? null : slot}
        events={slot === 'every' ? alertEventOptions.map(({ value }) => value) : base.events}
        fields={base.fields}
        value={text}
        onChange={setText}
        presets={presetOptions}
      />
      {own !== null && (
        <Button variant="default" c="var(--severity-critical)" onClick={() => void onRemove()}>
          Remove template
        </Button>
      )}
      <FormActions submit="Save template" isBusy={update.isPending} error={update.error} onCancel={onDone} />
    </form>
  );
}
