import { Button, Tabs } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { ListFilters, useList } from '../../components/list/index.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CompareDialog, type Comparing } from './compare-dialog.tsx';
import { EnvironmentMatrix } from './environment-matrix.tsx';
import { PromotionTable } from './promotion-table.tsx';

const driftOptions = [
  { value: 'any', label: 'Any drift' },
  { value: 'behind', label: 'Behind' },
  { value: 'ahead', label: 'Ahead' },
  { value: 'different', label: 'Different' },
  { value: 'missing', label: 'Missing' },
];

/**
 * Shows the deployed version of each service in each environment, and the promotion of versions between
 * environments.
 */
export default function EnvironmentsPage() {
  const list = useList('getEnvironmentMatrix', {
    from: '/shell/environments',
    filters: ['q', 'drift', 'label'],
  });
  const columns = useApi('getEnvironmentMatrix', { query: { limit: 1 } });
  const [comparing, setComparing] = useState<Comparing | null>(null);
  const canWrite = useHasRole('member');
  const isPromotion = list.search.view === 'promotion';
  const environments = columns.data?.environments ?? [];
  return (
    <>
      <PageHeader
        title="Environments"
        about={<About />}
        actions={
          canWrite &&
          environments.length > 1 && (
            <Button
              leftSection={<IconArrowsLeftRight size={16} />}
              onClick={() =>
                setComparing({
                  environment: environments.at(-1)!,
                  compare_with: environments.at(-2)!,
                  ...(list.search.q && { q: list.search.q }),
                  ...(list.search.label && { label: list.search.label }),
                })
              }
            >
              Compare environments
            </Button>
          )
        }
      />
      <Tabs
        value={isPromotion ? 'promotion' : 'matrix'}
        // Clear the filters that the other view doesn't have.
        onChange={(view) =>
          list.setSearch(
            view === 'promotion'
              ? { view, drift: undefined, label: undefined }
              : { view: undefined, from: undefined, to: undefined },
          )
        }
        mb="sm"
      >
        <Tabs.List>
          <Tabs.Tab value="matrix">Matrix</Tabs.Tab>
          <Tabs.Tab value="promotion">Promotion</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <ListFilters
        list={list}
        search="Search by service"
        filters={isPromotion ? [] : [{ name: 'drift', label: 'Drift', options: driftOptions }]}
      >
        {!isPromotion && <LabelFilter list={list} />}
      </ListFilters>
      {isPromotion ? (
        <PromotionTable environments={environments} list={list} />
      ) : (
        <EnvironmentMatrix environments={environments} query={list.query} compare={setComparing} />
      )}
      {comparing && (
        <CompareDialog environments={environments} start={comparing} close={() => setComparing(null)} />
      )}
    </>
  );
}

/** Explains the order of the columns. */
function About() {
  const settings = useApi('listEffectiveSettings');
  const order = settings.data?.items.find(({ key }) => key === 'environments.order')?.value;
  const link = (
    <TextLink to="/settings" inherit underline="always">
      Settings
    </TextLink>
  );
  if (!Array.isArray(order)) return 'Deployed versions of each service.';
  return order.length === 0 ? (
    <>
      Deployed versions of each service. Environments are in the usual order, from development to production.
      If you deploy in another order, set the environment order in {link}.
    </>
  ) : (
    <>
      Deployed versions of each service, in the environment order from {link}. Unlisted environments follow.
    </>
  );
}
