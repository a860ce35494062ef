import { Button, Menu } from '@mantine/core';
import { IconCheck, IconColumns3 } from '@tabler/icons-react';
import type { SoftwareColumn } from './software-columns.tsx';

/**
 * Menu for selecting the columns of a list.
 * @param onChange Receives the keys in column order, or `undefined` for the default columns.
 */
export function ColumnChooser({
  all,
  shown,
  onChange,
}: {
  all: readonly SoftwareColumn[];
  shown: readonly SoftwareColumn[];
  onChange: (keys: string | undefined) => void;
}) {
  const choices = all.filter(({ key, csvOnly }) => key !== 'name' && !csvOnly);
  const isShown = (column: SoftwareColumn) => shown.includes(column);
  const toggle = (toggled: SoftwareColumn) => {
    const next = choices.filter((column) => (column === toggled ? !isShown(column) : isShown(column)));
    const isDefault = choices.every((column) => next.includes(column) === column.isDefault);
    onChange(isDefault ? undefined : ['name', ...next.map(({ key }) => key)].join(','));
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={15} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((column) => (
          <Menu.Item
            key={column.key}
            aria-label={`${isShown(column) ? 'Hide' : 'Show'} ${column.header}`}
            leftSection={
              isShown(column) ? <IconCheck size={15} aria-hidden /> : <span style={{ width: 15 }} />
            }
            onClick={() => toggle(column)}
          >
            {column.header}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(undefined)}>Reset to default</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
