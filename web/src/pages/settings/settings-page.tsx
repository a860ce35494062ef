import { Badge, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditSession } from '../../components/edited.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { toUiWords } from '../../components/ui-words.ts';
import { FormModal } from '../../ui/dialog.tsx';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { formatSetting, searchSettings, settingGroups, settingTitle } from './format-setting.ts';
import { LoginProvidersSection } from './login-providers-section.tsx';
import { PatternsForm } from './patterns-form.tsx';
import { SettingEditor } from './setting-editor.tsx';
import classes from './settings-page.module.css';

type Setting = Schemas['Setting'];

export default function SettingsPage() {
  const settings = useApi('listEffectiveSettings');
  const mayChange = useHasRole('admin');
  const [sought, setSought] = useState('');
  return (
    <>
      <PageHeader
        title="Settings"
        about="Settings for this organization. Values you don't override come from the server defaults."
      />
      <Loaded query={settings}>
        {({ items }) => (
          <>
            <TextInput
              type="search"
              aria-label="Search settings"
              placeholder="Search settings"
              leftSection={<IconSearch size={15} aria-hidden />}
              value={sought}
              onChange={({ currentTarget }) => setSought(currentTarget.value)}
              maw={360}
              mb="md"
            />
            <FoundSettings settings={searchSettings(items, sought)} />
            {mayChange && sought.trim() === '' && <LoginProvidersSection />}
          </>
        )}
      </Loaded>
    </>
  );
}

function FoundSettings({ settings }: { settings: readonly Setting[] }) {
  const groups = settingGroups
    .map(({ title, keys }) => ({
      title,
      settings: settings.filter(({ key }) => keys.some((prefix) => key.startsWith(prefix))),
    }))
    .filter((group) => group.settings.length > 0);
  if (groups.length === 0) return <Text c="var(--text-muted)">No settings match.</Text>;
  return groups.map((group) => (
    <Section key={group.title} title={group.title}>
      {group.settings.map((setting) => (
        <SettingRow key={setting.key} setting={setting} />
      ))}
    </Section>
  ));
}

function SettingRow({ setting }: { setting: Setting }) {
  const [isEditing, setEditing] = useState(false);
  const remove = useAction('deleteOrgOverride', { done: 'Setting reset to default' });
  const mayChange = useHasRole('admin') && setting.is_overridable;
  const isOwn = setting.scope === 'organization';
  const page = pageOf(setting.key);
  const isPatterns = setting.key === 'discovery.custom_extractors';
  return (
    <div className={classes.row} data-setting={setting.key}>
      <Stack gap={2} className={classes.name}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {settingTitle(setting.key)}
          </Text>
          {isOwn && <Badge variant="default">Overridden</Badge>}
        </Group>
        <Text size="sm" c="var(--text-muted)">
          {toUiWords(setting.description)}
        </Text>
        <Text size="xs" c="var(--text-muted)" ff="monospace">
          {setting.key}
        </Text>
      </Stack>
      <div className={classes.value}>
        {isEditing && !isPatterns ? (
          <EditSession resource={setting}>
            {(opened) => <SettingEditor setting={opened} onClose={() => setEditing(false)} />}
          </EditSession>
        ) : (
          <>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {setting.key === 'default_notification_channel_id' && <DefaultChannelName id={setting.value} />}
              {page ? (
                <TextLink to={page.to}>
                  {mayChange ? 'Edit' : 'View'} in {page.title}
                </TextLink>
              ) : setting.key === 'default_rule_id' ? (
                <DefaultRuleName id={setting.value} />
              ) : (
                formatSetting(setting.key, setting.value)
              )}
            </Text>
            {isOwn && !page && (
              <Text size="xs" c="var(--text-muted)">
                default: {formatSetting(setting.key, setting.default_value)}
              </Text>
            )}
            {mayChange && (
              <Group gap="xs" mt={4}>
                {!page && (
                  <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
                    Edit
                  </Button>
                )}
                {isOwn && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    loading={remove.isPending}
                    onClick={() => remove.mutate({ path: { key: setting.key } })}
                  >
                    Reset to default
                  </Button>
                )}
              </Group>
            )}
          </>
        )}
        {isPatterns && (
          <FormModal
            opened={isEditing}
            onClose={() => setEditing(false)}
            title={`Edit ${settingTitle(setting.key).toLowerCase()}`}
            size="xl"
          >
            <EditSession resource={setting}>
              {(opened) => <PatternsForm setting={opened} onClose={() => setEditing(false)} />}
            </EditSession>
          </FormModal>
        )}
      </div>
    </div>
  );
}

function DefaultRuleName({ id }: { id: unknown }) {
  const { data } = useApi('listRulesDropdown');
  return id === null ? 'none' : (data?.find((rule) => rule.id === id)?.name ?? null);
}

function DefaultChannelName({ id }: { id: unknown }) {
  const { data } = useApi('listNotificationChannelsDropdown');
  const name = id === null ? 'none' : data?.find((channel) => channel.id === id)?.name;
  return name !== undefined && <Box>{name}</Box>;
}

/** Returns the page where a setting is edited if it isn't edited on this page. */
function pageOf(key: string) {
  if (key.startsWith('notification.template.'))
    return { to: '/notification-templates', title: 'Message templates' } as const;
  if (key === 'default_notification_channel_id')
    return { to: '/notification-rules', title: 'Notification rules' } as const;
  return null;
}
