import { useApi } from '../../api/use-api.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function OverviewPage() {
  const overview = useApi('getOverview');
  return (
    <>
      <PageHeader title="Overview" />
      <Loaded query={overview}>{({ alerts }) => <Facts facts={[['Open alerts', alerts.open]]} />}</Loaded>
    </>
  );
}
