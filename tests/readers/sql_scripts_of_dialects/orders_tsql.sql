/* Order staging checks. Owner: Sales BI */
USE StageDb;
GO
SET NOCOUNT ON;
GO
DECLARE @maxQty INT = 500;
-- ORD-01 severity: critical. A quantity is positive and at most 500
SELECT OrderId FROM stg.OrderLine WHERE Qty <= 0 OR Qty > @maxQty;
GO
SELECT 'ORD-02' AS RuleId, CASE WHEN COUNT(*) = 0 THEN 'PASS' ELSE 'FAIL' END AS Result
FROM stg.OrderLine WHERE ISNULL(LTRIM(RTRIM(Sku)), '') = '';
GO
SELECT SUM(CASE WHEN UnitPrice < 0 THEN 1 ELSE 0 END) AS negative_price,
       SUM(CASE WHEN Currency LIKE '%[^A-Z]%' THEN 1 ELSE 0 END) AS odd_currency,
       COUNT(*) AS all_lines
FROM stg.OrderLine WITH (NOLOCK);
GO
IF EXISTS (SELECT 1 FROM stg.OrderHeader WHERE ShipDate < OrderDate)
    RAISERROR('ORD-04 shipped before it was ordered', 16, 1);
GO
-- ORD-05 duplicate order numbers
SELECT OrderNo, COUNT(*) AS n FROM stg.OrderHeader GROUP BY OrderNo HAVING COUNT(*) > 1;
GO
-- ORD-06 orders of unknown customers
SELECT h.OrderNo FROM stg.OrderHeader h WHERE h.CustomerId NOT IN (SELECT CustomerId FROM dbo.Customer);
GO
UPDATE stg.OrderHeader SET ErrorCode = 'ORD-07' WHERE DATEDIFF(day, OrderDate, ShipDate) > 365;
GO
INSERT INTO dbo.OrderHeader (OrderNo) SELECT OrderNo FROM stg.OrderHeader WHERE ErrorCode IS NULL;
GO
SELECT OrderNo FORM stg.OrderHeader WHERE (Total < ;
GO
CREATE TABLE dbo.OrderLine (
    OrderLineId INT NOT NULL PRIMARY KEY,
    Qty INT NOT NULL CONSTRAINT CK_OrderLine_Qty CHECK (Qty > 0),
    Discount DECIMAL(5, 2) NULL CHECK (Discount BETWEEN 0 AND 100)
);
GO
CREATE TRIGGER trg_Order ON dbo.OrderHeader AFTER INSERT AS
BEGIN
    IF EXISTS (SELECT 1 FROM inserted WHERE Total < 0)
        THROW 50001, 'ORD-11 total is negative', 1;
END
GO
MERGE INTO dq.Exceptions AS t
USING (SELECT OrderNo, 'ORD-12' AS RuleId FROM stg.OrderHeader WHERE TRY_CAST(Phone AS BIGINT) IS NULL) AS s
ON t.OrderNo = s.OrderNo AND t.RuleId = s.RuleId
WHEN NOT MATCHED THEN INSERT (OrderNo, RuleId) VALUES (s.OrderNo, s.RuleId);
GO
TRUNCATE TABLE stg.Work;
PRINT 'done';
GO
