import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { toCsv } from '../../../../src/domain/csv/csv-text.ts';
import { showError } from '../../api/use-action.ts';
import { downloadText } from '../../ui/download-text.ts';
import { readRows } from './read-rows.ts';
import type { Column, RowId } from './resource-list.tsx';
import type { List } from './use-list.ts';

/** Button that downloads the whole list with its filters and sort order, not only the visible rows. */
export function DownloadCsv<Item extends { id: RowId }>({
  list,
  columns,
  name,
}: {
  list: List<Item>;
  columns: readonly Column<Item>[];
  name: string;
}) {
  const [read, setRead] = useState<number | null>(null);
  const csvColumns = columns.filter(({ csv }) => csv);
  if (csvColumns.length === 0) return null;
  const download = async () => {
    setRead(0);
    try {
      const items = await readRows(list, { onRead: setRead });
      const rows = items.map((item) => csvColumns.map(({ csv }) => csv?.(item)));
      downloadText(
        `${name.replaceAll(' ', '-')}.csv`,
        toCsv(
          csvColumns.map(({ header }) => header),
          rows,
        ),
        'text/csv;charset=utf-8',
      );
    } catch (error) {
      showError(error);
    } finally {
      setRead(null);
    }
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconDownload size={14} />}
      loading={read !== null && read === 0}
      onClick={download}
    >
      {read ? `${read.toLocaleString('en')} rows read…` : 'Export CSV'}
    </Button>
  );
}
