import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationDeliveriesPage() {
  return <PageHeader title="NotificationDeliveries" />;
}
