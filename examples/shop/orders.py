"""The life of an order: open, packed, shipped, delivered, or cancelled on the way."""

ALLOWED = {
    "open": {"packed", "cancelled"},
    "packed": {"shipped", "cancelled"},
    "shipped": {"delivered", "lost"},
}


def update_order_status(order, status):
    """Moves an order to a status that may follow its present one."""
    if status not in ALLOWED.get(order.status, ()):
        raise ValueError(f"order {order.number}: {order.status} cannot become {status}")
    order.status = status


def cancel(order, payments):
    """Cancels an order that has not shipped and refunds all that was paid."""
    update_order_status(order, "cancelled")
    payments.refund(order.number, order.total)
