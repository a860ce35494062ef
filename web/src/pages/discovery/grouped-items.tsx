import { Menu } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { type Column, type List, ResourceList } from '../../components/list/index.ts';
import { formatCount } from '../../ui/format.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import type { Accepting } from './accept-in-batches.ts';
import { SourceText } from './source-text.tsx';

type ItemGroup = Schemas['DiscoveredGroup'];
type GroupRow = ItemGroup & { id: number };

/** Number of versions listed in a row. */
const shownVersions = 3;

const columns: readonly Column<GroupRow>[] = [
  {
    header: 'Artifact',
    cell: ({ artifact, place_count }) => (
      <TwoLines second={`${formatCount(place_count)} ${place_count === 1 ? 'place' : 'places'}`}>
        <span title={artifact.name}>{artifact.name}</span>
      </TwoLines>
    ),
    csv: ({ artifact }) => artifact.name,
    width: 'minmax(0, 2fr)',
  },
  { header: 'Places', cell: () => null, csv: ({ place_count }) => place_count, csvOnly: true },
  {
    header: 'Versions',
    cell: ({ versions, version_count }) => (
      <span title={versions.join(', ')}>{versionsText(versions, version_count)}</span>
    ),
    csv: ({ versions }) => versions.join(', '),
    width: 'minmax(0, 1.2fr)',
  },
  {
    header: 'Source of releases',
    cell: ({ proposal }) => <SourceText proposal={proposal} reason={null} />,
    csv: ({ proposal }) => proposal.artifact_name,
    width: 'minmax(0, 1.6fr)',
    secondary: true,
  },
  {
    header: 'New',
    cell: countOf('new'),
    csv: ({ status_counts }) => status_counts.new,
    width: '4rem',
    align: 'end',
  },
  {
    header: 'Accepted',
    cell: countOf('accepted'),
    csv: ({ status_counts }) => status_counts.accepted,
    width: '5.5rem',
    align: 'end',
  },
];

function countOf(status: keyof ItemGroup['status_counts']) {
  return ({ status_counts }: GroupRow) => formatCount(status_counts[status]);
}

function versionsText(versions: readonly string[], count: number): string {
  const named = versions.slice(0, shownVersions);
  const others = count - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${formatCount(others)} more` : ''}`;
}

/** Lists discovered items by artifact, with the places and the number of versions of each. */
export function GroupedItems({
  list,
  filter,
  accept,
  empty,
}: {
  list: List<Schemas['DiscoveredItem']>;
  /** Filter of the items that the list shows. */
  filter: Extract<Accepting, { filter: object }>['filter'];
  /** Accepts items. Undefined if the user isn't allowed to. */
  accept: ((accepting: Accepting) => void) | undefined;
  empty: React.ReactNode;
}) {
  const groups = useGroups(list);
  return (
    <ResourceList
      list={groups}
      columns={columns}
      name="artifacts"
      rowActions={({ artifact, status_counts }) => (
        <RowMenu label={`Actions for ${artifact.name}`}>
          {accept && status_counts.new > 0 && (
            <Menu.Item onClick={() => accept({ filter: { ...filter, artifact: artifact.key } })}>
              Accept all
            </Menu.Item>
          )}
          <Menu.Item onClick={() => list.setSearch({ artifact: artifact.key, group_by: undefined })}>
            Show places
          </Menu.Item>
        </RowMenu>
      )}
      empty={empty}
    />
  );
}

/** Adapts a grouped list, whose pages contain groups instead of items. */
function useGroups(list: List<Schemas['DiscoveredItem']>): List<GroupRow> {
  // While the groups load, the first page can still contain items.
  const firstPage = useMemo(
    () => (list.firstPage && 'groups' in list.firstPage ? toGroups(list.firstPage) : undefined),
    [list.firstPage],
  );
  return {
    ...list,
    firstPage,
    pageQuery(offset, limit) {
      const { queryKey, queryFn } = list.pageQuery(offset, limit);
      return {
        queryKey: [...queryKey, 'groups'],
        queryFn: async (context) => toGroups(await queryFn(context)),
      };
    },
  };
}

function toGroups(page: object) {
  const { groups, ...counts } = page as { groups: ItemGroup[]; total: number; total_is_exact: boolean };
  return { ...counts, items: groups.map((group) => ({ ...group, id: idOf(group.artifact.key) })) };
}

const ids = new Map<string, number>();

/** Returns the same row ID for an artifact on every page. */
function idOf(key: string): number {
  const id = ids.get(key) ?? ids.size + 1;
  ids.set(key, id);
  return id;
}
