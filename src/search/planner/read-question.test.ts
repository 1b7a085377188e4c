/** Questions over the market and the plans that they become, by what they ask for; and those that are refused, by why. */
import { describe, expect, it } from 'vitest'
import { shop } from '../fixtures.test-support.ts'
import { inWords, market, planFor, read, said } from './market.test-support.ts'

type Rows = readonly (readonly [question: string, plan: string])[]

const READ: Readonly<Record<string, Rows>> = {
  counts: [
    ['Count the customers', 'Customer: count'],
    ['What is the number of products?', 'Product: count'],
    ['How many customers are in Oslo?', 'Customer: count; where city.name = Oslo'],
    ['How many open orders are there?', 'Order: count; where status = open'],
    ['How many customers are in the Oslo population?', 'Customer: count; where city.name = Oslo'],
    ['How many orders does Ada Berg have?', 'Order: count; where customer.name = Ada Berg'],
    ['How many different categories are there?', 'Product: count_distinct category'],
    ['How many product categories are there?', 'Product: count_distinct category'],
    ['Count how many customers are in Oslo', 'Customer: count; where city.name = Oslo'],
    ['How many drivers in total?', 'Driver: count'],
    ['How many products are in A-17?', 'Product: count; where ^Line.product.order.number = A-17'],
  ],
  groups: [
    ['How many customers live in each city?', 'Customer: city.name, count; by city'],
    ['How many customers have a phone number?', 'Customer: count; where phone_number exists'],
    ['How many orders were placed by customers?', 'Order: count'],
    ['How many customers are under 40 in each city?', 'Customer: city.name, count; where age < 40; by city'],
    ['the number and average age of customers in each city', 'Customer: city.name, count, avg age; by city'],
    ['Of the orders, how many have each status?', 'Order: status, count; by status'],
    ['How many orders by status?', 'Order: status, count; by status'],
    ['the id of each city and the number of its customers', 'Customer: city.id, count; by city.id'],
    ['count the orders by customer and status', 'Order: customer.name, status, count; by customer, status'],
    ['What is the average price of each category?', 'Product: category, avg price; by category'],
    ['Show the name of each city and the number of its customers', 'Customer: city.name, count; by city'],
    ['How many orders has each customer in Oslo?', 'Order: customer.name, count; where customer.city.name = Oslo; by customer'],
  ],
  'conditions on groups': [
    ['Which customers have more than 3 orders?', 'Order: customer.name; by customer; having count > 3'],
    ['customers with two or more orders', 'Order: customer.name; by customer; having count >= 2'],
    ['Which customers have two orders?', 'Order: customer.name; by customer; having count = 2'],
    ['Which category is used more than 3 times?', 'Product: category; by category; having count > 3'],
    ['Which category is used 3 times?', 'Product: category; by category; having count = 3'],
    ['Which products are in at least two different orders?', 'Line: product.name; by product; having count_distinct order.id >= 2'],
    ['cities with several customers', 'Customer: city.name; by city; having count > 1'],
    ['Which customers have more than 2 open orders?', 'Order: customer.name; where status = open; by customer; having count > 2'],
    ['Which categories have an average price above 20?', 'Product: category; by category; having avg price > 20'],
    [
      'categories with an average price higher than the average price',
      'Product: category; by category; having avg price > (Product: avg price)',
    ],
  ],
  'groups that are counted': [
    [
      'How many customers have more than 3 orders?',
      'Customer: count; where id in (Order: customer.id; by customer.id; having count > 3)',
    ],
  ],
  extremes: [
    ['What is the highest price?', 'Product: max price'],
    ['Which product has the highest price?', 'Product: name; where price exists; order price desc; limit 1'],
    ['Which product is the cheapest?', 'Product: name; where price exists; order price asc; limit 1'],
    ['Who is the youngest customer?', 'Customer: name; where age exists; order age asc; limit 1'],
    ['Who is the oldest driver?', 'Driver: last_name; where birth_date exists; order birth_date asc; limit 1'],
    ['the youngest driver', 'Driver: last_name; where birth_date exists; order birth_date desc; limit 1'],
    ['Which order was placed first?', 'Order: number; where placed_on exists; order placed_on asc; limit 1'],
    ['the oldest customer in Oslo', 'Customer: name; where city.name = Oslo; where age exists; order age desc; limit 1'],
    ['orders of the youngest customer', 'Order: number; where customer.age = (Customer: min age)'],
    ['the least expensive product', 'Product: name; where price exists; order price asc; limit 1'],
    ['the product with the maximum price', 'Product: name; where price exists; order price desc; limit 1'],
    ['For each category, the highest price', 'Product: category, max price; by category'],
    ['Show the average weight of the trips in our database', 'Trip: avg weight'],
    ['List the categories shared by more than two products', 'Product: category; by category; having count > 2'],
    ['What is the most common category, and how many are there?', 'Product: category, count; by category; order count desc; limit 1'],
    ['How many total crates do the trips have?', 'Trip: sum crate_count'],
    ['List the names of the customers or clients', 'Customer: name'],
    // figures that are kept as text add up
    ['What is the average crate count of the trips?', 'Trip: avg crate_count'],
    ['How many crates in total do the trips have?', 'Trip: sum crate_count'],
    ['drivers sorted by the total crate count of their trips', 'Trip: driver.last_name; where driver exists; by driver; order sum crate_count asc'],
    ['How many orders were placed between 2022 and 2023?', 'Order: count; where placed_on >= 2022-01-01; where placed_on < 2024-01-01'],
    ['Show the name of each customer and his or her age', 'Customer: name, age'],
    ['the average and highest price', 'Product: avg price, max price'],
    ['the lowest price and the highest tax rate', 'Product: min price, max tax_rate'],
    ['the customer that has the maximum age', 'Customer: name; where age exists; order age desc; limit 1'],
    ['average age of customers in the largest city', 'Customer: avg age; where city.population = (City: max population)'],
    ['How old are the customers in Oslo on average?', 'Customer: avg age; where city.name = Oslo'],
    ['How old is Ada Berg?', 'Customer: age; where name = Ada Berg'],
    ['Which trip left most recently?', 'Trip: code; where left_on exists; order left_on desc; limit 1'],
    ['the largest city', 'City: name; where population exists; order population desc; limit 1'],
    ['first and last name of drivers', 'Driver: first_name, last_name'],
  ],
  'most and fewest': [
    ['Which city has the most customers?', 'Customer: city.name; by city; order count desc; limit 1'],
    ['Which city has the least number of customers?', 'Customer: city.name; by city; order count asc; limit 1'],
    ['Which customer has the fewest orders?', 'Order: customer.name; by customer; order count asc; limit 1'],
    ['What is the most common category?', 'Product: category; by category; order count desc; limit 1'],
    ['Which product is in the most orders?', 'Line: product.name; by product; order count desc; limit 1'],
    ['the three customers with the most orders', 'Order: customer.name; by customer; order count desc; limit 3'],
  ],
  'the first few': [
    ['top 3 products by price', 'Product: name; where price exists; order price desc; limit 3'],
    ['the 2 most expensive products', 'Product: name; where price exists; order price desc; limit 2'],
    ['The top 5 customers with the most orders', 'Order: customer.name; by customer; order count desc; limit 5'],
  ],
  order: [
    ['List the products ordered by price', 'Product: name; order price asc'],
    ['List the names of customers sorted by age in descending order', 'Customer: name; order age desc'],
    ['List the customers in descending order of age', 'Customer: name; order age desc'],
    ['Show the products in alphabetical order', 'Product: name; order name asc'],
    ['List customers sorted by name descending', 'Customer: name; order name desc'],
    ['products from the cheapest to the most expensive', 'Product: name; order price asc'],
    ['the age of customers from oldest to youngest', 'Customer: age; order age desc'],
    [
      'List the number of customers in each city in descending order of the number of customers',
      'Customer: city.name, count; by city; order count desc',
    ],
    ['List products ordered by category and price', 'Product: name; order category asc; order price asc'],
    ['products in descending order of price, then by name', 'Product: name; order price desc; order name asc'],
    ['list the products by ascending price', 'Product: name; order price asc'],
    ['list trips ordered descending by weight', 'Trip: code; order weight desc'],
    ["Sort the products in descending order of the product's price", 'Product: name; order price desc'],
    ['the categories in descending order of the count', 'Product: category; by category; order count desc'],
    ['the categories and the number of products in descending order', 'Product: category, count; by category; order count desc'],
    ['products with the top 5 prices', 'Product: name; where price exists; order price desc; limit 5'],
    ['the different categories ordered by price', 'Product: category; by category; order min price asc'],
  ],
  comparisons: [
    ['products with a price above 20', 'Product: name; where price > 20'],
    ['products with a price greater than or equal to 10', 'Product: name; where price >= 10'],
    ['products with a price of 5 or more', 'Product: name; where price >= 5'],
    ['products with the price 10', 'Product: name; where price = 10'],
    ['customers older than 30', 'Customer: name; where age > 30'],
    ['Which customers are 18 years old?', 'Customer: name; where age = 18'],
    ['products with a price between 10 and 20', 'Product: name; where price between 10 | 20'],
    ['products with a price below 10 or above 90', 'Product: name; where (price < 10 or price > 90)'],
    ['products with a price above 5 but below 10', 'Product: name; where price > 5; where price < 10'],
    ['products with a price larger than or equal to $180', 'Product: name; where price >= 180'],
    ['cities with a population larger than 5000', 'City: name; where population > 5000'],
    ['customers over 30 years old', 'Customer: name; where age > 30'],
    ['customers under 30', 'Customer: name; where age < 30'],
    ['customers that are older than 60 or younger than 20', 'Customer: name; where (age > 60 or age < 20)'],
    ['customers whose age is not 20', 'Customer: name; where age != 20'],
    ['products cheaper than 5', 'Product: name; where price < 5'],
    ['customer with id 3', 'Customer: name; where id = 3'],
    ['products with a price higher than the average', 'Product: name; where price > (Product: avg price)'],
    ['customers older than the average', 'Customer: name; where age > (Customer: avg age)'],
  ],
  'or, and, both': [
    [
      'orders that are open and placed in 2025 or closed and placed in 2026',
      'Order: number; where ((status = open and placed_on >= 2025-01-01 and placed_on < 2026-01-01) or '
      + '(status = closed and placed_on >= 2026-01-01 and placed_on < 2027-01-01))',
    ],
    ['customers in Oslo but with an age above 30', 'Customer: name; where city.name = Oslo; where age > 30'],
    ['products with price 5, 10 or 15', 'Product: name; where price in 5 | 10 | 15'],
    ['products with a price above 10 and below 20', 'Product: name; where price > 10; where price < 20'],
    ['the names of those customers that live in Oslo', 'Customer: name; where city.name = Oslo'],
    [
      'Which orders hold the blue lamp as well as the red lamp?',
      'Order: number; where (^Line.order.product exists [name = blue lamp] and ^Line.order.product exists [name = red lamp])',
    ],
    ['customers in Oslo or Bergen', 'Customer: name; where city.name in Oslo | Bergen'],
    [
      'Which customers have both open and closed orders?',
      'Customer: name; where ^Order.customer exists [status = open]; where ^Order.customer exists [status = closed]',
    ],
    [
      'Which orders hold both the blue lamp and the red lamp?',
      'Order: number; where ^Line.order.product exists [name = blue lamp]; where ^Line.order.product exists [name = red lamp]',
    ],
    [
      'Which categories have both the blue lamp and the red lamp?',
      'distinct Product: category; where name = blue lamp; intersect (distinct Product: category; where name = red lamp)',
    ],
  ],
  'compared with other records': [
    ['products with a price above that of all toys', 'Product: name; where price > (Product: max price; where category = toys)'],
    ['products with a price below that of some toys', 'Product: name; where price < (Product: max price; where category = toys)'],
    ['products with a price below the highest price', 'Product: name; where price < (Product: max price)'],
    [
      'products with a price above the average price of products in the category toys',
      'Product: name; where price > (Product: avg price; where category = toys)',
    ],
  ],
  'what one plan cannot say': [
    ['the names of all customers and cities', 'Customer: name; union (City: name)'],
    ['Which names are shared by customers and cities?', 'Customer: name; intersect (City: name)'],
    ['Which categories have no product named "blue lamp"?', 'distinct Product: category; except (distinct Product: category; where name = blue lamp)'],
    [
      'Which categories have products with a price below 10 and products with a price above 90?',
      'distinct Product: category; where price < 10; intersect (distinct Product: category; where price > 90)',
    ],
    [
      'Which customers have open orders but not closed orders?',
      'Customer: name; where ^Order.customer.status = open; where ^Order.customer not_exists [status = closed]',
    ],
  ],
  'negation and absence': [
    ['Which orders have no line with the blue lamp?', 'Order: number; where ^Line.order not_exists [product.name = blue lamp]'],
    ['Which cities have no customers yet?', 'City: name; where ^Customer.city not_exists'],
    ['orders except those with a total above 50', 'Order: number; where total <= 50'],
    ['customers whose age is not 30', 'Customer: name; where age != 30'],
    ['Which orders do not have the status open?', 'Order: number; where status != open'],
    ['Which customers do not have more than 3 orders?', 'Customer: name; where id not_in (Order: customer.id; by customer.id; having count > 3)'],
    ['Which customers have no orders in 2025?', 'Customer: name; where ^Order.customer not_exists [placed_on >= 2025-01-01 and placed_on < 2026-01-01]'],
    ['Which orders are not open?', 'Order: number; where status != open'],
    ['products except toys', 'Product: name; where category != toys'],
    ['Which customers have no phone number?', 'Customer: name; where phone_number is_null'],
    ['Which customers have a missing phone number?', 'Customer: name; where phone_number is_null'],
    ['Which customers have no orders?', 'Customer: name; where ^Order.customer not_exists'],
    ['Which cities do not have customers?', 'City: name; where ^Customer.city not_exists'],
    ['Which orders do not hold the blue lamp?', 'Order: number; where ^Line.order not_exists [product.name = blue lamp]'],
    ['Which cities have no customers older than 30?', 'City: name; where ^Customer.city not_exists [age > 30]'],
  ],
  folds: [
    ['What is the average age of the customers?', 'Customer: avg age'],
    ['average, minimum and maximum price of products', 'Product: avg price, min price, max price'],
    ['What is the average total of the orders of Ada Berg?', 'Order: avg total; where customer.name = Ada Berg'],
    ['total quantity of each product', 'Line: product.name, sum quantity; by product'],
  ],
  periods: [
    ['Which orders were placed in 2025?', 'Order: number; where placed_on >= 2025-01-01; where placed_on < 2026-01-01'],
    ['How many orders were placed since 1 February 2026?', 'Order: count; where placed_on >= 2026-02-01'],
    [
      'orders placed between 1 January 2026 and 15 January 2026',
      'Order: number; where placed_on >= 2026-01-01; where placed_on < 2026-01-16',
    ],
    ['Which trips left before 2024?', 'Trip: code; where left_on < 2024-01-01'],
    ['orders in March 2025', 'Order: number; where placed_on >= 2025-03-01; where placed_on < 2025-04-01'],
  ],
  'ways between records': [
    ['Which orders hold the blue lamp?', 'Order: number; where ^Line.order.product.name = blue lamp'],
    ['Which customers have the blue lamp?', 'Customer: name; where ^Order.customer.^Line.order.product.name = blue lamp'],
    ['trips of Oslo', 'Trip: code; where (destination.name = Oslo or origin.name = Oslo)'],
    ['What is the status and total of the orders of Ada Berg?', 'Order: status, total; where customer.name = Ada Berg'],
    ['customers and their orders', 'Order: customer.name, number'],
    ['Which trips have a driver?', 'Trip: code; where driver exists'],
    ['the codes and driver ids of trips', 'Trip: code, driver.id'],
  ],
  'texts and patterns': [
    ['customers whose name starts with "A"', 'Customer: name; where name like A%'],
    ['customers whose name contains "be" or "li"', 'Customer: name; where (name like %be% or name like %li%)'],
    ['customers with the letter b in their name', 'Customer: name; where name like %b%'],
    ['customers without the letter b in their name', 'Customer: name; where name not_like %b%'],
    ['customers whose name has the word "Li" in it', 'Customer: name; where name like %Li%'],
    ['customers whose name does not start with the letter A', 'Customer: name; where name not_like A%'],
    ['products that contain the word "lam"', 'Product: name; where name like %lam%'],
    ['customers with the name "Zed"', 'Customer: name; where name = Zed'],
  ],
  'yes or no': [
    ['Is A-17 open?', 'any Order: number; where number = A-17; where status = open'],
    ['Does Ada Berg have open orders?', 'any Order: number; where customer.name = Ada Berg; where status = open'],
    ['Are there customers in Lima?', 'any Customer: name; where city.name = Lima'],
  ],
  'what is shown': [
    ['List the categories', 'distinct Product: category'],
    ['names of all customers', 'Customer: name'],
    ['the order totals of customers', 'Order: total'],
    ['What is the average tax in rate of products?', 'Product: avg tax_rate'],
    ['When was A-17 placed?', 'Order: placed_on; where number = A-17'],
    ['Show all information about orders', 'Order: id, number, total, status, placed_on, customer.id'],
  ],
}

describe.each(Object.entries(READ))('%s', (_, rows) => {
  it.each(rows)('%s', (question, plan) => {
    expect(said(question)).toBe(plan)
  })
})

describe('refused, with the words that found no place', () => {
  it.each([
    ['a word that nothing stands for', 'Which purple customers are there?', ['purple']],
    ['a name in capitals that is no pronoun', 'How many customers are in the US?', ['US']],
    ['"but" that leaves something out', 'Which orders are there but open?', ['but']],
    ['a sign that nothing stands for', 'products with a price > 5', ['>']],
    ['a describing word before a class that has no such value', 'open cities', ['open']],
    ['"only" is a condition on all others', 'Which customers have only open orders?', ['only']],
    ['"all" as a condition', 'Which customers have all orders open?', ['all']],
    ['"all" in a question of yes or no', 'Are all orders open?', ['all']],
    ['another record of the same class', 'Which orders have the status of A-17?', ['A-17']],
    ['shares do not add up', 'sum of the tax rates', ['sum of']],
    ['nor do keys', 'sum of id of orders', ['sum of']],
    ['"those" when nothing went before', 'How many of those are open?', ['How many', 'of those']],
    ['a place of what has none', 'Where is Ada Berg?', ['Where']],
  ])('%s', (_, question, unplaced) => {
    expect(read(question)).toMatchObject({ options: [], unplaced })
  })

  it.each([
    ['a describing word of which nobody has said of what', 'Which cities are open?'],
    ['a way that turns round on a third thing', 'Which drivers ordered the blue lamp?'],
    ['a property of a class that has none, and many things that have', 'What is the status of cities?'],
    ['nothing is asked for', 'in the of'],
    ['numbers kept as text have no order', 'trips ordered by crate count'],
    ['nor a largest', 'the trip with the highest crate count'],
  ])('%s', (_, question) => {
    expect(read(question)).toMatchObject({ options: [], unplaced: [] })
  })

  it('a group has no place in an order by one of its many records', () => {
    expect(read('the number of products ordered by id').options.filter(({ plan }) => plan.order_by.length > 0)).toEqual([])
  })
})

describe('where English leaves it open, the other way is an option too', () => {
  it.each([
    ['a record by its key', 'Which city has the most customers?', 'Customer: city.id; by city.id; order count desc; limit 1'],
    ['a record by key and name', 'How many customers live in each city?', 'Customer: city.id, city.name, count; by city'],
    ['groups of one name', 'names of customers with more than 3 orders', 'Order: customer.name; by customer.name; having count > 3'],
    ['each once', 'the phone numbers of customers in Oslo', 'distinct Customer: phone_number; where city.name = Oslo'],
    ['a class named in passing', 'the names of customers of orders', 'Customer: name'],
  ])('%s', (_, question, plan) => {
    expect(read(question).options.map((option) => inWords(option.plan))).toContain(plan)
  })

  it('a record that nothing names is shown by what describes it, or by its key', () => {
    const classes = market.classes.map((cls) => {
      if (cls.name !== 'Product') return cls
      const properties = cls.properties.map((own) => (own.name === 'name' ? { ...own, name: 'details', label: 'details' } : own))
      return { ...cls, labelProperty: null, properties }
    })
    const plans = read('products with a price above 10', { ontology: { ...market, classes } }).options.map((option) => inWords(option.plan))
    expect(plans).toEqual(expect.arrayContaining(['details', 'id'].map((shown) => `Product: ${shown}; where price > 10`)))
  })

  it('another table that connects the same', () => {
    const line = market.classes.find(({ name }) => name === 'Line')!
    const ontology = { ...market, relationships: [], classes: [...market.classes, { ...line, name: 'Refund', table: 'refund', label: 'refund' }] }
    const plans = read('Which orders hold the blue lamp?', { ontology }).options.map((option) => inWords(option.plan))
    expect(plans).toEqual(expect.arrayContaining(['Line', 'Refund'].map((table) => `Order: number; where ^${table}.order.product.name = blue lamp`)))
  })
})

describe('how a question was read', () => {
  it('says which words became which terms', () => {
    expect(read('How many customers older than 30 are in Oslo?').options[0]?.terms).toEqual([
      { text: 'How many', kind: 'operation', term: 'count' },
      { text: 'customers', kind: 'class', term: 'Customer' },
      { text: 'older than', kind: 'operation', term: 'compare' },
      { text: '30', kind: 'operation', term: 'number' },
      { text: 'Oslo', kind: 'value', term: 'City.name = Oslo' },
    ])
  })

  it('gives each plan once, the likeliest first, with how well its words match', () => {
    const { options } = read('name of customers')
    expect(new Set(options.map(({ plan }) => JSON.stringify(plan))).size).toBe(options.length)
    expect(options.map(({ score }) => score)).toEqual(options.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(options.every(({ quality }) => quality > 0 && quality <= 1)).toBe(true)
    expect(read('names of customers').options[0]!.quality).toBeGreaterThan(read('phones of customers').options[0]!.quality)
  })

  it('the vocabulary is the ontology that is asked, and no other', () => {
    const asking = { ontology: shop }
    expect(planFor('How many orders per customer?', asking)).toMatchObject({ from: 'Order', group_by: [['customer']] })
    expect(read('How many products do we have?', asking)).toMatchObject({ options: [], unplaced: ['How many', 'products'] })
  })
})
