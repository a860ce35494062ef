import { Button, Code, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { AlertConfigForm } from '../alert-configs/alert-config-form.tsx';
import { useAlertConfigActions } from '../alert-configs/use-alert-config-actions.ts';

type Config = Schemas['AlertConfig'];

/** Shows the settings of a monitor, and edits them in place. */
export function MonitorPanel({ config, leave }: { config: Config; leave: () => Promise<unknown> }) {
  return (
    <Section id="monitor" title="Monitor" actions={<Actions config={config} leave={leave} />}>
      <Facts
        facts={[
          ['Name', config.name],
          Object.keys(config.labels).length > 0 && [
            'Labels',
            <LabelList key="labels" labels={config.labels} to="/alert-configs" />,
          ],
          config.candidate_pattern !== null && [
            'Version filter',
            <Code key="pattern">{config.candidate_pattern}</Code>,
          ],
          config.ignored_versions.length > 0 && ['Ignored versions', config.ignored_versions.join(', ')],
          config.counted_versions.length > 0 && ['Counted versions', config.counted_versions.join(', ')],
          config.lifecycle_override !== null && [
            'Paid support',
            [`until ${config.lifecycle_override.ends_on}`, config.lifecycle_override.note]
              .filter(Boolean)
              .join(': '),
          ],
          config.ignored_vulnerabilities.length > 0 && [
            'Ignored vulnerabilities',
            config.ignored_vulnerabilities
              .map(({ id, note }) => (note === '' ? id : `${id} (${note})`))
              .join(', '),
          ],
          config.managed_by !== null && [
            'Created by',
            <>
              <TextLink {...resourceLink('discovery_job', config.managed_by.id)} inherit>
                {config.managed_by.name}
              </TextLink>
              {config.edited_fields.length === 0
                ? ', updated automatically from its discovered item'
                : `, updated automatically from its discovered item, except for the ${editedText(config.edited_fields)}`}
            </>,
          ],
          ['Created', <RelativeTime key="made" at={config.created_at} />],
        ]}
      />
    </Section>
  );
}

function Actions({ config, leave }: { config: Config; leave: () => Promise<unknown> }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateAlertConfig', { quiet: true, done: 'Monitor saved' });
  const { toggle, confirmDelete } = useAlertConfigActions(config, leave);
  if (!useHasRole('member')) return null;
  return (
    <Group gap={4}>
      <Button variant="default" size="xs" aria-label="Edit monitor" onClick={editing.open}>
        Edit
      </Button>
      <RowMenu label={`Actions for the monitor ${config.name}`}>
        <Menu.Item onClick={() => void toggle()}>{config.is_active ? 'Disable' : 'Enable'}</Menu.Item>
        <Menu.Item c="var(--severity-critical)" onClick={() => void confirmDelete()}>
          Delete
        </Menu.Item>
      </RowMenu>
      <EditDialog
        title="Edit monitor"
        size="lg"
        resource={config}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <AlertConfigForm config={opened} {...form} />}
      </EditDialog>
    </Group>
  );
}

const fieldLabels: Readonly<Record<Config['edited_fields'][number], string>> = {
  name: 'name',
  rule_id: 'rule',
  gather_job_id: 'upstream source',
  is_active: 'enabled state',
};

function editedText(fields: Config['edited_fields']): string {
  return new Intl.ListFormat('en-US').format(fields.map((field) => fieldLabels[field]));
}
