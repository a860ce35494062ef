import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { resourceLink } from '../resource-link.ts';
import classes from './command-palette.module.css';
import { useNavigation } from './navigation-menu.tsx';

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

interface Command {
  group: string;
  title: string;
  note?: string;
  go: Target | (() => void);
}

const maxResultsPerKind = 5;

/** Command palette that searches pages, software, sources, channels, rules, and actions by words of their names. */
export default function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const navigate = useNavigate();
  const listId = useId();
  const { commands, isSearching } = useCommands(text, onHelp);
  // Keep the selected command when other results arrive.
  const chosenIndex = Math.max(
    0,
    commands.findIndex((command) => keyOf(command) === chosen),
  );
  const run = ({ go }: Command) => {
    onClose();
    if (typeof go === 'function') go();
    else void navigate(go);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = (chosenIndex + step + commands.length) % commands.length;
      setChosen(keyOf(commands[next]!));
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const command = commands[chosenIndex];
      if (command) run(command);
    }
  };
  return (
    <Dialog onClose={onClose} title="Go to" padding="xs" yOffset="12vh">
      <TextInput
        size="md"
        variant="unstyled"
        px="sm"
        placeholder="Search pages and resources"
        leftSection={<IconSearch size={17} aria-hidden />}
        data-autofocus
        role="combobox"
        aria-label="Search pages, software, sources, channels, rules, and actions"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={commands.length > 0 ? `${listId}-${chosenIndex}` : undefined}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Results" className={classes.list}>
        {commands.map((command, index) => (
          <div key={keyOf(command)} role="presentation">
            {command.group !== commands[index - 1]?.group && (
              <div role="presentation" className={classes.group}>
                {command.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field. */}
            <div
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosenIndex}
              className={classes.option}
              onClick={() => run(command)}
              onMouseMove={() => setChosen(keyOf(command))}
            >
              <span>{command.title}</span>
              {command.note && <span className={classes.note}>{command.note}</span>}
            </div>
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <Text size="sm" p="md" c="var(--text-muted)" role="status">
          {isSearching ? 'Searching…' : 'No matches.'}
        </Text>
      )}
    </Dialog>
  );
}

const keyOf = ({ group, title, note }: Command) => `${group} ${title} ${note ?? ''}`;

/** Returns the results. While `isSearching` is true, more can arrive. */
function useCommands(text: string, onHelp: () => void): { commands: Command[]; isSearching: boolean } {
  const groups = useNavigation();
  const canWrite = useHasRole('member');
  const [q] = useDebouncedValue(text.trim(), 150);
  const query = { q, limit: maxResultsPerKind };
  const options = { enabled: q !== '', keepPrevious: true };
  const software = useApi('listSoftware', { query }, options);
  const sources = useApi('listGatherJobs', { query }, options);
  const channels = useApi('listNotificationChannels', { query }, options);
  const rules = useApi('listRulesDropdown');
  const words = text.trim().toLowerCase().split(/\s+/);
  const isMatch = (...texts: (string | undefined)[]) =>
    words.every((word) => texts.join(' ').toLowerCase().includes(word));

  /**
   * True if a result matches the text. Previous results that still match stay visible until the new ones
   * arrive.
   */
  const isResultFor = ({ isPlaceholderData }: { isPlaceholderData: boolean }, ...texts: string[]) =>
    (q === text.trim() && !isPlaceholderData) || isMatch(...texts);

  const pages = groups.flatMap(({ title: group, pages: entries }) =>
    entries
      .filter(({ title, keywords }) => isMatch(group, title, keywords))
      .map(({ to, title }): Command => {
        return { group: 'Pages', title, ...(title !== group && { note: group }), go: { to } };
      }),
  );
  const actions: Command[] = [
    ...(canWrite
      ? ([
          { group: 'Actions', title: 'Add software', go: { to: '/software/new' } },
          { group: 'Actions', title: 'New monitor', go: { to: '/alert-configs/new' } },
          { group: 'Actions', title: 'New rule', go: { to: '/rules/new' } },
          { group: 'Actions', title: 'New channel', go: { to: '/notification-channels/new' } },
          { group: 'Actions', title: 'New upstream source', go: { to: '/gather-jobs/new' } },
          { group: 'Actions', title: 'New version tracker', go: { to: '/scrape-jobs/new' } },
        ] satisfies Command[])
      : []),
    { group: 'Actions', title: 'Show keyboard shortcuts', note: '?', go: onHelp },
  ];
  const found: Command[] =
    q === ''
      ? []
      : [
          ...(software.data?.items ?? [])
            .filter(({ name, deployed_version }) => isResultFor(software, name, deployed_version ?? ''))
            .map(({ id, name, deployed_version }): Command => {
              return {
                group: 'Software',
                title: name,
                ...(deployed_version !== null && { note: deployed_version }),
                go: resourceLink('software', id),
              };
            }),
          ...(sources.data?.items ?? [])
            .filter(({ name, artifact_name }) => isResultFor(sources, name, artifact_name))
            .map(({ id, name, artifact_name }): Command => {
              return {
                group: 'Upstream sources',
                title: name,
                note: artifact_name,
                go: resourceLink('gather_job', id),
              };
            }),
          ...(channels.data?.items ?? [])
            .filter(({ name }) => isResultFor(channels, name))
            .map(({ id, name }): Command => {
              return { group: 'Channels', title: name, go: resourceLink('notification_channel', id) };
            }),
          ...(rules.data ?? [])
            .filter(({ name }) => isMatch(name))
            .slice(0, maxResultsPerKind)
            .map(({ id, name }): Command => {
              return { group: 'Rules', title: name, go: resourceLink('rule', id) };
            }),
        ];
  const isSearching =
    text.trim() !== '' &&
    (q !== text.trim() ||
      rules.isPending ||
      [software, sources, channels].some(
        ({ isPending, isPlaceholderData }) => isPending || isPlaceholderData,
      ));
  return { commands: [...found, ...pages, ...actions.filter(({ title }) => isMatch(title))], isSearching };
}
