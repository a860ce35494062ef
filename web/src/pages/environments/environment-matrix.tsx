import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeIncompleteComparison } from '../../../../src/domain/environments/incomplete-comparison.ts';
import { productionEnvironments } from '../../../../src/domain/environments/order-environments.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ShowMoreButton } from '../../components/list/index.ts';
import { useSupport } from '../../components/support/use-support.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ToneSign } from '../../ui/mark.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { CellHint, useHint } from './cell-hint.tsx';
import { CellPanel } from './cell-panel.tsx';
import type { Comparing } from './compare-dialog.tsx';
import {
  type Cell,
  cellSentences,
  describeLag,
  describeSupportMark,
  latestOf,
  type MatrixRow,
  nameOf,
  productionFirst,
} from './describe-cell.ts';
import classes from './environment-matrix.module.css';

/** Number of rows fetched per page. */
const pageSize = 100;

interface Opened {
  row: MatrixRow;
  environment: string;
}

/**
 * Heat map with a row for each service and a column for each environment. The color and the number of a cell
 * show how far it is behind upstream. Hovering over a cell or focusing it shows the same information in
 * sentences, and a click opens its details.
 */
export function EnvironmentMatrix({
  environments,
  query,
  compare,
}: {
  environments: readonly string[];
  query: Readonly<Record<string, unknown>>;
  compare: (comparing: Comparing) => void;
}) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const { hint, show, hide } = useHint();
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const read = useInfiniteQuery({
    queryKey: ['getEnvironmentMatrix', 'rows', query],
    queryFn: ({ pageParam: offset, signal }) =>
      api.call('getEnvironmentMatrix', { query: { ...query, limit: pageSize, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0);
      return count < last.total && last.items.length > 0 ? count : undefined;
    },
    placeholderData: (previous) => previous,
  });
  if (!read.data)
    return read.error ? (
      <ErrorNotice error={read.error} retry={() => void read.refetch()} />
    ) : (
      <Skeleton height={240} role="status" aria-label="Loading" />
    );
  const rows = read.data.pages.flatMap(({ items }) => items);
  const inOrder = read.data.pages[0]?.environments ?? environments;
  // In a narrow window, production is next to the service, so that it's visible without scrolling.
  const production = isNarrow ? productionEnvironments(inOrder, inOrder).at(-1) : undefined;
  const shown = productionFirst(inOrder, production);
  /** Number of environments before the latest version. */
  const leading = production === undefined ? 0 : 1;
  const cuts = describeIncompleteComparison(
    read.data.pages[0]?.is_complete ?? true,
    rows,
    'version trackers',
  );
  const total = read.data.pages.at(-1)?.total ?? 0;
  if (rows.length === 0) {
    return environments.length === 0 ? <NoEnvironments /> : <Text c="var(--text-muted)">No matches</Text>;
  }
  return (
    <>
      {cuts.map((sentence) => (
        <Text key={sentence} size="sm" mb="xs" c="var(--text-muted)">
          {sentence}
        </Text>
      ))}
      <Legend />
      <div className={classes.scroll}>
        <table className={classes.table} aria-label="Environments">
          <thead>
            <tr>
              <th scope="col">Service</th>
              {shown.slice(0, leading).map((environment) => (
                <th key={environment} scope="col">
                  {environment}
                </th>
              ))}
              <th scope="col" className={classes.latest}>
                Latest
              </th>
              {shown.slice(leading).map((environment) => (
                <th key={environment} scope="col">
                  {environment}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const cells = shown.flatMap((name) =>
                row.cells.filter(({ environment }) => environment === name),
              );
              const heatCell = (cell: Cell) => (
                <td
                  key={cell.environment}
                  data-heat={describeLag(cell).heat ?? undefined}
                  data-unknown={describeLag(cell).isUnknown || undefined}
                >
                  <CellButton
                    row={row}
                    cell={cell}
                    show={show}
                    hide={hide}
                    open={() => setOpened({ row, environment: cell.environment })}
                  />
                </td>
              );
              return (
                <tr key={`${row.service}\0${row.component}`}>
                  <th scope="row" title={nameOf(row)}>
                    <span className={classes.name}>{nameOf(row)}</span>
                  </th>
                  {cells.slice(0, leading).map(heatCell)}
                  <td className={classes.latest}>{latestOf(row) ?? '—'}</td>
                  {cells.slice(leading).map(heatCell)}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {hint && <CellHint hint={hint} />}
      <ShowMoreButton query={read} total={total} shown={rows.length} />
      {opened && (
        <CellPanel
          row={rows.find((row) => nameOf(row) === nameOf(opened.row)) ?? opened.row}
          environment={opened.environment}
          compare={compare}
          close={() => setOpened(null)}
        />
      )}
    </>
  );
}

const driftMarks: Partial<Record<Cell['relation'], string>> = { behind: '‹', ahead: '›', different: '≠' };

function CellButton({
  row,
  cell,
  open,
  show,
  hide,
}: {
  row: MatrixRow;
  cell: Cell;
  open: () => void;
  show: (element: Element, sentences: readonly string[]) => void;
  hide: () => void;
}) {
  const [lowest, ...others] = cell.versions;
  const support = useSupport('scrape_job_ids', lowest?.scrape_job_ids[0]);
  const now = useNow();
  if (lowest === undefined)
    return (
      <Text span className={classes.missing} title="No version is known">
        missing
      </Text>
    );
  const sentences = cellSentences(cell, support, now);
  const { heat, lag } = describeLag(cell);
  const supportMark = support === undefined ? null : describeSupportMark(support);
  const showHint = ({ currentTarget }: { currentTarget: Element }) => show(currentTarget, sentences);
  return (
    <UnstyledButton
      className={classes.cell}
      onClick={() => {
        hide();
        open();
      }}
      onMouseEnter={showHint}
      onMouseLeave={hide}
      onFocus={showHint}
      onBlur={hide}
    >
      <VisuallyHidden>
        Show {nameOf(row)} in {cell.environment}: {sentences.join(' ')}
      </VisuallyHidden>
      <span className={classes.version} aria-hidden>
        {lowest.version}
        {others.length > 0 && ` +${others.length}`}
      </span>
      <span className={classes.marks} aria-hidden>
        {supportMark !== null && (
          <span className={classes.support}>
            EOL{supportMark !== '' && <span className={classes.daysLeft}> {supportMark}</span>}
          </span>
        )}
        {driftMarks[cell.relation] !== undefined && (
          <span className={classes.drift}>{driftMarks[cell.relation]}</span>
        )}
        <HeatSign heat={heat} />
        {lag !== null && <span className={classes.lag}>{lag}</span>}
      </span>
    </UnstyledButton>
  );
}

/** Repeats the color of a severity as a sign. Other colors have none. */
function HeatSign({ heat }: { heat: ReturnType<typeof describeLag>['heat'] | undefined }) {
  return heat === 'moderate' || heat === 'high' || heat === 'critical' ? <ToneSign tone={heat} /> : null;
}

const legend = [
  ['ok', 'latest'],
  ['behind', 'within the rules'],
  ['moderate', 'moderate'],
  ['high', 'high'],
  ['critical', 'critical'],
  ['unknown', 'unknown'],
  [undefined, 'not monitored'],
] as const;

function Legend() {
  return (
    <p className={classes.legend}>
      <span>−3: newer releases upstream</span>
      {legend.map(([heat, name]) => (
        <span key={name}>
          <span
            className={classes.swatch}
            data-heat={heat}
            data-unknown={heat === 'unknown' || undefined}
            aria-hidden
          />{' '}
          <HeatSign heat={heat} /> {name}
        </span>
      ))}
      <span>‹ behind the previous environment</span>
      <span>› ahead of it</span>
      <span>≠ different from it</span>
      <span>+1: other versions in the same environment</span>
      <span>EOL 10 d: 10 days of support left</span>
    </p>
  );
}

function NoEnvironments() {
  return (
    <EmptyState
      title="No environments yet"
      action={<ButtonLink to="/scrape-jobs">View version trackers</ButtonLink>}
    >
      Add the labels service and environment to your version trackers to compare deployed versions across
      environments.
    </EmptyState>
  );
}
