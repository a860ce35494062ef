import { PageHeader } from '../../ui/page-header.tsx';

export default function FleetPage() {
  return <PageHeader title="Fleet" />;
}
