import { Kbd, Table } from '@mantine/core';
import { Dialog } from '../../ui/dialog.tsx';

const keys: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl K', '⌘ K'], 'Open command palette'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
  [['Shift X'], 'Select the rows up to this one'],
  [['a'], 'Acknowledge the selected alerts'],
  [['/'], 'Search the list'],
  [['?'], 'Show keyboard shortcuts'],
];

/** Dialog with the keyboard shortcuts that are available on every page. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {keys.map(([names, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={140}>
                {names.map((name, index) => (
                  <span key={name}>
                    {index > 0 && ' or '}
                    <Kbd>{name}</Kbd>
                  </span>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
